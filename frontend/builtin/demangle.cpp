// SPDX-License-Identifier: Apache-2.0
// The inverse of mangle.cpp: names of functions in modules that clang made, by either of its back ends. It
// reads what built-in functions need: scalars, vectors, pointers, atomic and opaque types, and substitutions.
#include <algorithm>
#include <charconv>
#include <iterator>

#include "frontend/builtin/builtin.h"

namespace caldera::frontend::builtin {

namespace {

// An entry of clang's substitution table, as in mangle.cpp.
struct Substitution {
    QualType type;
    bool qualified;
};

struct TypeCode {
    std::string_view text;
    TypeKind kind;
};
constexpr TypeCode kScalarCodes[] = {
    {"v", TypeKind::Void},  {"b", TypeKind::Bool},   {"c", TypeKind::Char},     {"a", TypeKind::Char},
    {"h", TypeKind::UChar}, {"s", TypeKind::Short},  {"t", TypeKind::UShort},   {"i", TypeKind::Int},
    {"j", TypeKind::UInt},  {"l", TypeKind::Long},   {"m", TypeKind::ULong},    {"x", TypeKind::Long},
    {"y", TypeKind::ULong}, {"Dh", TypeKind::Half},  {"DF16_", TypeKind::Half}, {"DF16b", TypeKind::BFloat16},
    {"f", TypeKind::Float}, {"d", TypeKind::Double},
};
/// Types that have a name. Orders and scopes are enumerations of clang's header.
constexpr TypeCode kNamedCodes[] = {
    {"ocl_sampler", TypeKind::Sampler},     {"ocl_event", TypeKind::Event},
    {"ocl_queue", TypeKind::Queue},         {"ocl_clkevent", TypeKind::ClkEvent},
    {"ocl_reserveid", TypeKind::ReserveId}, {"ndrange_t", TypeKind::NDRange},
    {"memory_order", TypeKind::Int},        {"memory_scope", TypeKind::Int},
    {"__fp8_e4m3", TypeKind::Float8E4M3},   {"__fp8_e5m2", TypeKind::Float8E5M2},
};
struct SpaceCode {
    std::string_view text;
    AddressSpace space;
};
/// By number, as SPIR targets have them, and by name, as others do.
constexpr SpaceCode kSpaceCodes[] = {
    {"AS0", AddressSpace::Private},           {"AS1", AddressSpace::Global},
    {"AS2", AddressSpace::Constant},          {"AS3", AddressSpace::Local},
    {"AS4", AddressSpace::Generic},           {"AS5", AddressSpace::GlobalDevice},
    {"AS6", AddressSpace::GlobalHost},        {"CLprivate", AddressSpace::Private},
    {"CLglobal", AddressSpace::Global},       {"CLconstant", AddressSpace::Constant},
    {"CLlocal", AddressSpace::Local},         {"CLgeneric", AddressSpace::Generic},
    {"CLdevice", AddressSpace::GlobalDevice}, {"CLhost", AddressSpace::GlobalHost},
};

class Demangler {
 public:
    Demangler(std::string_view text, TypeTable& types) : rest_(text), types_(types) {}

    std::optional<Demangled> run() {
        if (!take("_Z")) return {};
        Demangled out = {.name = source_name()};
        if (out.name.empty() || rest_.empty()) return {};
        if (rest_ == "v") return out;
        while (!rest_.empty()) {
            const QualType param = type();
            if (!param || param->is_void()) return {};
            out.params.push_back(param);
        }
        return out;
    }

 private:
    static constexpr uint32_t kMaxDepth = 16;  // of pointers to pointers; no built-in function has many

    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }

    uint32_t number() {
        uint32_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) return 0;
        rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
        return value;
    }

    std::string_view source_name() {
        const uint32_t length = number();
        if (length > rest_.size()) return {};
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return name;
    }

    // S_, S0_, ... S9_, SA_, ... (base 36)
    const Substitution* substitution() {
        size_t index = 0;
        for (bool first = true; !take("_"); first = false) {
            if (rest_.empty() || index > entries_.size()) return nullptr;
            const char c = rest_[0];
            const bool is_digit = c >= '0' && c <= '9';
            if (!is_digit && (c < 'A' || c > 'Z')) return nullptr;
            index = (first ? 0 : index) * 36 + static_cast<size_t>(is_digit ? c - '0' : c - 'A' + 10);
            rest_.remove_prefix(1);
            if (rest_.starts_with("_")) ++index;
        }
        return index < entries_.size() ? &entries_[index] : nullptr;
    }

    QualType add(QualType type, bool qualified = false) {
        if (type) entries_.push_back({type, qualified});
        return type;
    }

    QualType type() {
        if (depth_ > kMaxDepth) return {};
        for (const TypeCode& code : kScalarCodes)
            if (take(code.text)) return {.type = types_.scalar(code.kind)};
        if (take("S")) {
            const Substitution* entry = substitution();
            return entry && !entry->qualified ? entry->type : QualType{};
        }
        if (take("Dv")) return add(vector());
        if (take("U7_Atomic")) {
            const QualType value = type();
            return add(value && value->is_arithmetic() ? QualType{.type = types_.atomic(value.type)}
                                                       : QualType{});
        }
        if (take("P")) {
            ++depth_;
            const QualType target = pointee();
            --depth_;
            return add(target ? QualType{.type = types_.pointer(target)} : QualType{});
        }
        return add(named(source_name()));
    }

    QualType vector() {
        const uint32_t lanes = number();
        const bool is_size = lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
        if (!is_size || !take("_")) return {};
        const QualType element = type();
        const bool fits = element && element->is_arithmetic() && element->kind != TypeKind::Bool;
        return fits ? QualType{.type = types_.vector(element.type, lanes)} : QualType{};
    }

    /// Even one without qualifiers is an entry of its own: private memory is a qualifier.
    QualType pointee() {
        if (rest_.starts_with("S")) {
            const std::string_view before = rest_;
            take("S");
            const Substitution* entry = substitution();
            if (entry && entry->qualified) return entry->type;
            rest_ = before;
        }
        AddressSpace space = AddressSpace::Private;
        while (rest_.starts_with("U") && !rest_.starts_with("U7_Atomic")) {
            take("U");
            const std::string_view name = source_name();
            const auto* code = std::ranges::find(kSpaceCodes, name, &SpaceCode::text);
            if (code == std::end(kSpaceCodes)) return {};
            space = code->space;
        }
        const bool is_restrict = take("r"), is_volatile = take("V"), is_const = take("K");
        QualType target = type();
        if (!target) return {};
        target.space = space;
        target.is_restrict = is_restrict;
        target.is_volatile = is_volatile;
        target.is_const = is_const;
        return add(target, true);
    }

    QualType named(std::string_view name) {
        for (const TypeCode& code : kNamedCodes)
            if (name == code.text) return {.type = types_.scalar(code.kind)};
        if (!name.starts_with("ocl_image") || name.size() < 3) return {};
        const std::string_view end = name.substr(name.size() - 3);
        const Access access = end == "_ro"   ? Access::ReadOnly
                              : end == "_wo" ? Access::WriteOnly
                              : end == "_rw" ? Access::ReadWrite
                                             : Access::None;
        if (access == Access::None) return {};
        const std::string wanted = std::string(name.substr(4, name.size() - 7)) + "_t";
#define IMAGE(kind, spelling, ...) \
    if (wanted == (spelling)) return {.type = types_.image(ImageKind::kind), .access = access};
#include "frontend/types/images.def"
#undef IMAGE
        return {};
    }

    std::string_view rest_;
    TypeTable& types_;
    std::vector<Substitution> entries_ = {};
    uint32_t depth_ = 0;
};

}  // namespace

std::optional<Demangled> demangle(std::string_view mangled, TypeTable& types) {
    return Demangler(mangled, types).run();
}

}  // namespace caldera::frontend::builtin
