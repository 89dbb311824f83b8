// SPDX-License-Identifier: Apache-2.0
// Overload resolution as clang does it for overloadable C functions (C++ [over.ics.rank], plus C's own
// conversions, which rank below all of C++'s). A row stands for a set of candidates: one for each binding of
// its family. They are compared as Shapes; only the chosen one becomes types.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/builtin/builtin.h"
#include "frontend/builtin/signature.h"
#include "frontend/builtin/table.h"

namespace caldera::frontend::builtin {

namespace {

// In order of preference.
enum class Rank : uint8_t {
    Identity,
    Qualification,  // of a pointee: adds const or volatile, or goes to the generic space
    Promotion,
    Conversion,
    Splat,          // a scalar to a vector
    COnly,          // void * to another pointer
    CIncompatible,  // a pointer to something else, or qualifiers dropped
    None,
};

struct Argument {
    QualType type;
    Shape shape;
    bool is_null_constant = false;
};

// How one argument converts to one parameter, and the address space or access that the parameter then has.
struct Match {
    Rank rank = Rank::None;
    AddressSpace space = AddressSpace::Private;
    Access access = Access::None;
    bool ambiguous = false;  // two address spaces are equally good: a null pointer
};

struct Candidate {
    const Row* row = nullptr;
    const Signature* signature = nullptr;
    Binding binding = {};
    std::array<Match, kMaxParams> matches = {};
    size_t count = 0;

    // A candidate that needs no ill-formed conversion where the other does wins before anything else is
    // compared.
    bool better_than(const Candidate& other) const {
        bool well_formed = false, some = false, all = true;
        for (size_t i = 0; i < count; ++i) {
            Rank mine = matches[i].rank, theirs = other.matches[i].rank;
            if (mine == Rank::CIncompatible && theirs != mine) return false;
            well_formed |= theirs == Rank::CIncompatible && mine != theirs;
            all &= mine <= theirs;
            some |= mine < theirs;
        }
        return well_formed || (all && some);
    }
    /// Lower for candidates that a call more likely means: those that change fewer arguments.
    uint32_t distance() const {
        uint32_t sum = 0;
        for (size_t i = 0; i < count; ++i) sum += static_cast<uint32_t>(matches[i].rank);
        return sum;
    }
    bool is_exact() const {
        for (size_t i = 0; i < count; ++i)
            if (matches[i].rank > Rank::Qualification || matches[i].ambiguous) return false;
        return true;
    }
};

// ---- One argument ----

Rank rank_scalars(TypeKind from, TypeKind to) {
    if (from == to) return Rank::Identity;
    if (from <= TypeKind::UShort && to == TypeKind::Int) return Rank::Promotion;  // C99 6.3.1.1
    if (from == TypeKind::Float && to == TypeKind::Double) return Rank::Promotion;
    return Rank::Conversion;
}

Rank rank_values(const Argument& arg, Shape to) {
    if (arg.shape.lanes != 1) return arg.shape == to ? Rank::Identity : Rank::None;
    TypeKind from = arg.shape.kind;
    bool is_enum = from == TypeKind::Enum;
    if (is_enum) {
        const EnumDecl* decl = arg.type->enum_decl;
        from = decl && decl->underlying ? decl->underlying->kind : TypeKind::Int;
    }
    if (from < TypeKind::Bool || from > TypeKind::Double) return Rank::None;
    if (to.lanes != 1) return Rank::Splat;
    return is_enum && from == to.kind ? Rank::Promotion : rank_scalars(from, to.kind);
}

bool is_number(TypeKind kind) { return kind >= TypeKind::Bool && kind <= TypeKind::Double; }

// Converts a pointer into one address space to a parameter in one address space.
Rank rank_pointers(const QualType& from, const TypeSpec& spec, const Binding& binding,
                   AddressSpace to_space) {
    if (!space_converts(from.space, to_space)) return Rank::None;
    bool same;
    if (spec.base == Base::Pointee) {
        same = true;
    } else {
        const Type* pointee = from.type;
        bool is_atomic = pointee->kind == TypeKind::Atomic;
        same = is_atomic == spec.is_atomic &&
               shape(is_atomic ? pointee->element.type : pointee) == shape(spec, binding);
    }
    if (!same) {
        Shape to = shape(spec, binding);
        if (to.kind == TypeKind::Void) return Rank::Conversion;
        return from->is_void() ? Rank::COnly : Rank::CIncompatible;
    }
    if ((from.is_const && !spec.is_const) || (from.is_volatile && !spec.is_volatile))
        return Rank::CIncompatible;
    bool identical =
        from.space == to_space && from.is_const == spec.is_const && from.is_volatile == spec.is_volatile;
    return identical ? Rank::Identity : Rank::Qualification;
}

Match match_pointer(const Argument& arg, const TypeSpec& spec, const Binding& binding, uint8_t spaces) {
    Match best;
    if (spec.base == Base::Pointee && !binding.pointee) return best;  // 0 says nothing of what it points to
    for (int i = 0; i <= static_cast<int>(AddressSpace::Generic); ++i) {
        if ((spaces & (1 << i)) == 0) continue;
        auto space = static_cast<AddressSpace>(i);
        Rank rank = Rank::None;
        if (arg.type->is_pointer()) rank = rank_pointers(arg.type->element, spec, binding, space);
        if (arg.is_null_constant && rank > Rank::Conversion) rank = Rank::Conversion;
        if (rank == Rank::None) continue;
        const auto stays_in = [&](AddressSpace to) {  // or moves to the next larger space
            if (!arg.type->is_pointer()) return false;
            const AddressSpace from = arg.type->element.space;
            return from == to || (to == AddressSpace::Global && is_global(from));
        };
        if (rank < best.rank || (rank == best.rank && stays_in(space)))
            best = {rank, space, Access::None, false};
        else if (rank == best.rank && !stays_in(best.space))
            best.ambiguous = true;
    }
    return best;
}

Match match_image(const Argument& arg, const TypeSpec& spec) {
    Access access = arg.type.access == Access::None ? Access::ReadOnly : arg.type.access;
    bool fits = arg.type->kind == TypeKind::Image && arg.type->image == spec.image &&
                (spec.access & (1 << static_cast<int>(access))) != 0;
    return fits ? Match{Rank::Identity, AddressSpace::Private, access, false} : Match{};
}

Match match_opaque(const Argument& arg, TypeKind to) {
    if (arg.type->kind == to) return {.rank = Rank::Identity};
    bool zero = arg.is_null_constant && (to == TypeKind::Event || to == TypeKind::Queue);
    bool sampler = to == TypeKind::Sampler && arg.type->is_integer();
    return zero || sampler ? Match{.rank = Rank::Conversion} : Match{};
}

Match match(const Argument& arg, const TypeSpec& spec, const Binding& binding, const Features& features) {
    if (arg.type->is_error()) return {.rank = Rank::Identity};
    if (spec.is_pointer) return match_pointer(arg, spec, binding, allowed_spaces(spec, features));
    if (spec.base == Base::Image) return match_image(arg, spec);
    Shape to = shape(spec, binding);
    if (!is_number(to.kind)) return match_opaque(arg, to.kind);
    return {.rank = rank_values(arg, to)};
}

// ---- All candidates of a row ----

class Resolver {
 public:
    Resolver(std::string_view name, std::span<const QualType> args, std::span<const bool> null_constants,
             const Features& features, TypeTable& types, Arena& arena)
        : name_(name), features_(features), types_(types), arena_(arena), match_(match_name(name, features)) {
        for (size_t i = 0; i < args.size(); ++i)
            args_.push_back({args[i], shape(args[i].type), i < null_constants.size() && null_constants[i]});
    }

    std::variant<const Resolution*, Mismatch> run() {
        if (!match_.rows.empty() && match_.rows[0]->lowering == Lowering::Bitcast) return reinterpret();
        std::vector<Signature> signatures;
        for (const Row* row : match_.rows) signatures.push_back(parse_signature(row->signature));
        for (size_t i = 0; i < signatures.size() && !done_; ++i) expand(*match_.rows[i], signatures[i]);
        if (viable_.empty()) {
            if (match_.rows.size() == 1 && is_plain(signatures[0]))
                return match_plain(*match_.rows[0], signatures[0]);
            return mismatch();
        }
        const Candidate* best = &viable_[0];
        for (const Candidate& candidate : viable_)
            if (candidate.better_than(*best)) best = &candidate;
        if (!done_ && !is_best(*best)) return ambiguous();
        return resolved(*best);
    }

 private:
    bool is_best(const Candidate& best) const {
        for (size_t i = 0; i < best.count; ++i)
            if (best.matches[i].ambiguous) return false;
        return std::ranges::all_of(viable_,
                                   [&](const Candidate& c) { return &c == &best || best.better_than(c); });
    }

    void expand(const Row& row, const Signature& signature) {
        bool count_fits =
            signature.variadic ? args_.size() >= signature.count : args_.size() == signature.count;
        if (!count_fits) return;
        bindings(signature, [&](const Binding& binding) {
            consider(row, signature, binding);
            return !done_;
        });
    }

    /// Calls `f` with each binding of the row's variables, until it returns false.
    template <class F>
    void bindings(const Signature& signature, F f) const {
        Binding binding;
        binding.name_lanes = match_.lanes;
        binding.named_result = match_.named_result;
        for (const Argument& arg : args_)
            if (arg.type->is_pointer()) {
                binding.pointee = arg.type->element;
                break;
            }
        if (!signature.family) {
            bind_second(signature, binding, f);
            return;
        }
        for (TypeKind element : signature.family->elements) {
            if (!element_enabled(element, features_)) continue;
            binding.element = element;
            for (uint8_t lanes : signature.family->lanes) {
                binding.lanes = lanes;
                if (!bind_second(signature, binding, f)) return;
            }
        }
    }

    template <class F>
    static bool bind_second(const Signature& signature, Binding& binding, F& f) {
        if (!signature.second_lanes) return f(binding);
        for (uint8_t lanes : {2, 4, 8, 16}) {
            binding.second_lanes = lanes;
            if (!f(binding)) return false;
        }
        return true;
    }

    void consider(const Row& row, const Signature& signature, const Binding& binding) {
        Candidate candidate = {&row, &signature, binding, {}, signature.count};
        for (size_t i = 0; i < signature.count; ++i) {
            candidate.matches[i] = match(args_[i], signature.params[i], binding, features_);
            if (candidate.matches[i].rank == Rank::None) return;
        }
        if (candidate.is_exact()) {  // no two candidates of a name have the same parameters
            viable_.assign(1, candidate);
            done_ = true;
            return;
        }
        viable_.push_back(candidate);
    }

    // ---- Results ----

    const Resolution* resolved(const Candidate& best) {
        std::vector<QualType> params;
        const Signature& signature = *best.signature;
        for (size_t i = 0; i < signature.count; ++i)
            params.push_back(make_type(signature.params[i], best.binding, best.matches[i].space,
                                       best.matches[i].access, types_));
        QualType result =
            make_type(signature.result, best.binding, result_space(signature.result), Access::None, types_);
        return resolution(*best.row, result, params);
    }

    AddressSpace result_space(const TypeSpec& spec) const {
        uint8_t spaces = spec.is_pointer ? allowed_spaces(spec, features_) : 1;
        int space = 0;
        while ((spaces & (1 << space)) == 0) ++space;
        return static_cast<AddressSpace>(space);
    }

    const Resolution* resolution(const Row& row, QualType result, const std::vector<QualType>& params) {
        Resolution* out = arena_.make<Resolution>();
        out->row = &row;
        out->name = arena_.copy(match_.name.empty() ? name_ : std::string_view(match_.name));
        out->result = result;
        out->params = arena_.copy(params);
        out->mangled = arena_.copy(std::string_view(mangle(out->name, params)));
        out->saturate = match_.saturate;
        out->rounding = match_.rounding;
        return out;
    }

    // as_*: any scalar but bool, pointer or vector of the same size (6.2.4.2).
    std::variant<const Resolution*, Mismatch> reinterpret() {
        if (args_.size() != 1) return mismatch();
        const Type* to =
            types_.with_lanes(types_.scalar(match_.named_result.kind), match_.named_result.lanes);
        const Type* from = args_[0].type.type;
        if (from->is_error()) from = to;
        if (from->kind == TypeKind::Bool) {
            Mismatch out;
            out.message = "invalid reinterpretation: '" + to_string(from) + "' as '" + to_string(to) +
                          "', because 'bool' has no specified bits";
            return out;
        }
        if (!(from->is_arithmetic_or_vector() || from->is_pointer()) || from->size_bytes != to->size_bytes) {
            Mismatch out;
            out.message = "invalid reinterpretation: sizes of '" + to_string(to) + "' and '" +
                          to_string(from) + "' must match";
            return out;
        }
        return resolution(*match_.rows[0], {.type = to}, {{.type = from}});
    }

    Mismatch ambiguous() {
        Mismatch out;
        out.ambiguous = true;
        std::ranges::stable_sort(viable_, {}, &Candidate::distance);
        for (const Candidate& c : viable_)
            if (out.candidates.size() < kMaxCandidates)
                out.candidates.push_back({text(*c.signature, c.binding), ""});
        return out;
    }

    // For a call of an image function, keeps only the rows for this image; the many others would only hide
    // them.
    bool for_given_image(const Row& row) const {
        const Signature signature = parse_signature(row.signature);
        return args_.empty() || args_[0].type->kind != TypeKind::Image || signature.count == 0 ||
               signature.params[0].base != Base::Image || signature.params[0].image == args_[0].type->image;
    }

    Mismatch mismatch() {
        Mismatch out;
        std::erase_if(match_.rows, [&](const Row* row) { return !for_given_image(*row); });
        if (match_.rows.empty())
            out.message = "no matching function for call to '" + std::string(name_) +
                          "': it takes no image of type '" + to_string(args_[0].type.type) + "'";
        std::vector<NearCandidate> near;
        for (const Row* row : match_.rows) near.push_back(nearest_of(*row));
        std::ranges::stable_sort(near, std::greater(), &NearCandidate::nearness);
        // If some overload matches an argument exactly, overloads that match it less well are not candidates.
        if (!near.empty() && near[0].nearness >= kFits)
            std::erase_if(near,
                          [&](const NearCandidate& c) { return c.nearness / 128 < near[0].nearness / 128; });
        for (const NearCandidate& c : near)
            if (out.candidates.size() < kMaxCandidates)
                out.candidates.push_back({text(c.signature, c.binding), reason(c)});
        return out;
    }

    /// The function of a row that the arguments fit best. Arguments are compared from the first one on.
    struct NearCandidate {
        Signature signature = {};
        Binding binding = {};
        size_t argument = 0;    ///< the first that does not fit
        uint32_t nearness = 0;  ///< more is nearer
    };
    static constexpr uint32_t kRightCount = 1 << 20, kFits = kRightCount + 256;
    static constexpr size_t kMaxCandidates = 8;

    NearCandidate nearest_of(const Row& row) const {
        NearCandidate best = {.signature = parse_signature(row.signature)};
        const Signature& signature = best.signature;
        const size_t common = std::min(args_.size(), signature.count);
        bool first = true;
        bindings(signature, [&](const Binding& binding) {
            uint32_t nearness = binding.element != TypeKind::Half;
            size_t i = 0;
            for (; i < common; ++i) {
                const Rank rank = match(args_[i], signature.params[i], binding, features_).rank;
                if (rank == Rank::None) break;
                nearness += 256 + 2 * (rank <= Rank::Qualification);
            }
            if (args_.size() == signature.count) nearness += kRightCount;
            if (i < common) nearness += 64 * likeness(args_[i], signature.params[i], binding);
            if (first || nearness > best.nearness) {
                best.binding = binding;
                best.argument = i;
                best.nearness = nearness;
            }
            first = false;
            return true;
        });
        return best;
    }

    /// Returns 2 for an image of the right kind with another access qualifier; 1 for as many lanes, or a
    /// pointer to such a type.
    static uint32_t likeness(const Argument& arg, const TypeSpec& spec, const Binding& binding) {
        if (spec.base == Base::Image)
            return arg.type->kind == TypeKind::Image && arg.type->image == spec.image ? 2 : 0;
        if (spec.base == Base::Pointee) return 0;
        if (!spec.is_pointer) return arg.shape.lanes == shape(spec, binding).lanes;
        return arg.type->is_pointer() && shape(arg.type->element.type) == shape(spec, binding);
    }

    // A row that has just one function.
    static bool is_plain(const Signature& signature) {
        for (size_t i = 0; i < signature.count; ++i) {
            const TypeSpec& param = signature.params[i];
            const bool one_space = param.spaces == kPlain || param.spaces == kConstant;
            if (param.base != Base::Fixed || (param.is_pointer && !one_space)) return false;
        }
        return !signature.family;
    }

    // A name with just one row is an ordinary function: the checker decides whether the arguments convert.
    std::variant<const Resolution*, Mismatch> match_plain(const Row& row, const Signature& signature) {
        const bool few = args_.size() < signature.count;
        if (few || (args_.size() > signature.count && !signature.variadic)) {
            Mismatch out;
            out.message = std::string(few ? "too few" : "too many") +
                          " arguments to function call, expected " + (signature.variadic ? "at least " : "") +
                          std::to_string(signature.count) + ", have " + std::to_string(args_.size());
            out.argument = static_cast<int>(std::min<size_t>(args_.size(), signature.count));
            return out;
        }
        Candidate candidate = {&row, &signature, {}, {}, signature.count};
        for (size_t i = 0; i < signature.count; ++i)
            candidate.matches[i].space = result_space(signature.params[i]);
        return resolved(candidate);
    }

    /// One of the types that a parameter may have: that of the argument, in what it may have of that.
    QualType shown_type(const TypeSpec& spec, Binding binding, const QualType& argument) const {
        if (!binding.pointee) binding.pointee = {.type = types_.scalar(TypeKind::Void)};
        AddressSpace space = result_space(spec);
        if (spec.is_pointer && argument && argument->is_pointer() &&
            (allowed_spaces(spec, features_) & (1 << static_cast<int>(argument->element.space))))
            space = argument->element.space;
        Access access = Access::ReadOnly;
        if (!(spec.access & (1 << static_cast<int>(access)))) access = Access::WriteOnly;
        return make_type(spec, binding, space, access, types_);
    }

    std::string text(const Signature& signature, const Binding& binding) const {
        std::string out =
            to_string(shown_type(signature.result, binding, {})) + " " + std::string(name_) + "(";
        for (size_t i = 0; i < signature.count; ++i) {
            const QualType argument = i < args_.size() ? args_[i].type : QualType{};
            out += (i ? ", " : "") + to_string(shown_type(signature.params[i], binding, argument));
        }
        return out + (signature.variadic ? ", ...)" : ")");
    }

    std::string reason(const NearCandidate& c) const {
        if (args_.size() != c.signature.count) {
            const std::string needs = std::to_string(c.signature.count);
            return "requires " + needs + (c.signature.count == 1 ? " argument" : " arguments") + ", but " +
                   std::to_string(args_.size()) + (args_.size() == 1 ? " was provided" : " were provided");
        }
        const QualType& given = args_[c.argument].type;
        static constexpr std::string_view kOrdinals[] = {"1st", "2nd", "3rd", "4th",
                                                         "5th", "6th", "7th", "8th"};
        return "no known conversion from '" + to_string(given) + "' to '" +
               to_string(shown_type(c.signature.params[c.argument], c.binding, given)) + "' for " +
               std::string(kOrdinals[c.argument]) + " argument";
    }

    std::string_view name_;
    const Features& features_;
    TypeTable& types_;
    Arena& arena_;
    NameMatch match_;
    std::vector<Argument> args_ = {};
    std::vector<Candidate> viable_ = {};
    bool done_ = false;  // an exact match was found
};

}  // namespace

std::variant<const Resolution*, Mismatch> resolve(std::string_view name, std::span<const QualType> args,
                                                  std::span<const bool> null_constants,
                                                  const Features& features, TypeTable& types, Arena& arena) {
    return Resolver(name, args, null_constants, features, types, arena).run();
}

}  // namespace caldera::frontend::builtin
