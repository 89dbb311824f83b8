// SPDX-License-Identifier: Apache-2.0
// The rows of builtins.def in the specification's notation: gentype, ugentype, intn.
#include <algorithm>
#include <bit>

#include "frontend/builtin/builtin.h"
#include "frontend/builtin/signature.h"
#include "frontend/builtin/table.h"

namespace caldera::frontend::builtin {
namespace {

class Writer {
 public:
    Writer(const Signature& signature, const NameMatch& match, const Features& features)
        : signature_(signature), match_(match), features_(features) {
        const Family* family = signature.family;
        scalar_ = family && family->lanes.size() == 1 && family->lanes[0] == 1;
        for (const TypeKind kind : family ? family->elements : std::span<const TypeKind>())
            if (element_enabled(kind, features)) elements_.push_back(kind);
    }

    std::string text(const TypeSpec& spec) {
        std::string out;
        if (spec.is_pointer) out = space(spec);
        if (spec.is_const) out += "const ";
        if (spec.is_volatile) out += "volatile ";
        out += base(spec);
        return out + (spec.is_pointer ? " *" : "");
    }

    /// What stands for what.
    std::string types() const {
        if (!signature_.family || elements_.empty()) return {};
        std::string out = "gentype: ";
        for (size_t i = 0; i < elements_.size(); ++i)
            out += (i == 0 ? "" : i + 1 == elements_.size() ? " or " : ", ") + scalar(elements_[i]);
        if (scalar_) return out;
        std::string lanes;
        bool alone = false;
        for (const uint8_t count : signature_.family->lanes)
            if (count == 1)
                alone = true;
            else
                lanes += (lanes.empty() ? "" : ", ") + std::to_string(count);
        return out + (alone ? ", or vectors of " : ", in vectors of ") + lanes;
    }

 private:
    static std::string scalar(TypeKind kind) {
        const Type type = {.kind = kind};
        return to_string(&type);
    }

    std::string space(const TypeSpec& spec) const {
        const uint8_t spaces = allowed_spaces(spec, features_);
        if (std::popcount(spaces) != 1) return {};
        const std::string_view word =
            spelling(static_cast<AddressSpace>(std::countr_zero(spaces))).substr(2);  // without "__"
        return word == "private" || word == "generic" ? "" : std::string(word) + " ";
    }

    std::string base(const TypeSpec& spec) const {
        std::string out;
        switch (spec.base) {
            case Base::Family: out = of_family(spec); break;
            case Base::Image: return access(spec) + std::string(image_name(spec.image));
            case Base::Pointee: return spec.is_pointer ? "void" : "T";
            case Base::NamedResult:
                out = with_lanes(scalar(match_.named_result.kind), match_.named_result.lanes);
                break;
            case Base::Fixed: out = with_lanes(scalar(spec.fixed.kind), spec.fixed.lanes); break;
        }
        if (spec.base != Base::Family || spec.lanes != Lanes::Scalar) {
            if (spec.lanes == Lanes::Name) out = with_lanes(out, match_.lanes);
            if (spec.lanes == Lanes::Second) out += "m";
        }
        return spec.is_atomic ? "atomic_" + out : out;
    }

    std::string of_family(const TypeSpec& spec) const {
        const bool one = scalar_ || spec.lanes == Lanes::Scalar;
        const std::string lanes = one ? "" : "n";
        switch (spec.derive) {
            case Derive::None: break;
            case Derive::Int: return "int" + lanes;
            case Derive::UInt: return "uint" + lanes;
            case Derive::Float: return "float" + lanes;
            case Derive::Unsigned:
            case Derive::UnsignedBits: return "ugentype";
            case Derive::SignedBits:
            case Derive::Truth: return "igentype";
            case Derive::Wider: return "wider gentype";
        }
        if (elements_.size() == 1) return scalar(elements_[0]) + lanes;
        return spec.lanes == Lanes::Scalar && !scalar_ ? "sgentype" : "gentype";
    }

    static std::string with_lanes(std::string element, uint8_t lanes) {
        return lanes == 1 ? element : element + std::to_string(lanes);
    }

    static std::string access(const TypeSpec& spec) {
        const auto has = [&](Access access) { return (spec.access >> static_cast<int>(access) & 1) != 0; };
        if (has(Access::ReadOnly)) return has(Access::WriteOnly) ? "" : "read_only ";
        return has(Access::WriteOnly) ? "write_only " : "read_write ";
    }

    const Signature& signature_;
    const NameMatch& match_;
    const Features& features_;
    bool scalar_ = false;
    std::vector<TypeKind> elements_ = {};
};

}  // namespace

std::vector<Prototype> prototypes(std::string_view name, const Features& features) {
    std::vector<Prototype> out;
    const NameMatch match = match_name(name, features);
    for (const Row* row : match.rows) {
        const Signature signature = parse_signature(row->signature);
        Writer writer(signature, match, features);
        Prototype prototype = {
            .result = writer.text(signature.result), .variadic = signature.variadic, .types = writer.types()};
        for (size_t i = 0; i < signature.count; ++i)
            prototype.params.push_back(writer.text(signature.params[i]));
        out.push_back(std::move(prototype));
    }
    return out;
}

}  // namespace caldera::frontend::builtin
