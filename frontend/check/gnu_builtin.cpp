// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's __builtin_ functions whose value is known while the program is compiled. The others are
// rows of builtin/gnu_builtins.def.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <string>

#include "frontend/check/checker_impl.h"
#include "frontend/types/float_bits.h"

namespace caldera::frontend {

namespace {

struct FloatConstant {
    std::string_view name;
    double value;
    bool takes_text;  ///< nan("")
    TypeKind type;
    bool signaling = false;
};

/// The elementwise and reducing functions, with the number and the types of their arguments.
enum class Elements : uint8_t {
    Any,
    Floating,
    FloatingAndInteger,  ///< the second one an integer for each element
    SignedOrFloating,
    Integer,
    VectorOfAny,
    VectorOfFloating,
    VectorOfInteger
};
struct ElementwiseFunction {
    std::string_view name;
    size_t count;
    Elements takes;
    size_t optional = 0;  ///< so many more arguments may follow
};
constexpr ElementwiseFunction kElementwise[] = {
    {"elementwise_abs", 1, Elements::SignedOrFloating},
    {"elementwise_acos", 1, Elements::Floating},
    {"elementwise_asin", 1, Elements::Floating},
    {"elementwise_atan", 1, Elements::Floating},
    {"elementwise_canonicalize", 1, Elements::Floating},
    {"elementwise_ceil", 1, Elements::Floating},
    {"elementwise_cos", 1, Elements::Floating},
    {"elementwise_cosh", 1, Elements::Floating},
    {"elementwise_exp", 1, Elements::Floating},
    {"elementwise_exp2", 1, Elements::Floating},
    {"elementwise_exp10", 1, Elements::Floating},
    {"elementwise_floor", 1, Elements::Floating},
    {"elementwise_log", 1, Elements::Floating},
    {"elementwise_log2", 1, Elements::Floating},
    {"elementwise_log10", 1, Elements::Floating},
    {"elementwise_nearbyint", 1, Elements::Floating},
    {"elementwise_rint", 1, Elements::Floating},
    {"elementwise_round", 1, Elements::Floating},
    {"elementwise_roundeven", 1, Elements::Floating},
    {"elementwise_sin", 1, Elements::Floating},
    {"elementwise_sinh", 1, Elements::Floating},
    {"elementwise_sqrt", 1, Elements::Floating},
    {"elementwise_tan", 1, Elements::Floating},
    {"elementwise_tanh", 1, Elements::Floating},
    {"elementwise_trunc", 1, Elements::Floating},
    {"elementwise_atan2", 2, Elements::Floating},
    {"elementwise_copysign", 2, Elements::Floating},
    {"elementwise_fmod", 2, Elements::Floating},
    {"elementwise_maximum", 2, Elements::Floating},
    {"elementwise_maximumnum", 2, Elements::Floating},
    {"elementwise_maxnum", 2, Elements::Floating},
    {"elementwise_minimum", 2, Elements::Floating},
    {"elementwise_minimumnum", 2, Elements::Floating},
    {"elementwise_minnum", 2, Elements::Floating},
    {"elementwise_pow", 2, Elements::Floating},
    {"elementwise_fma", 3, Elements::Floating},
    {"elementwise_ldexp", 2, Elements::FloatingAndInteger},
    {"elementwise_max", 2, Elements::Any},
    {"elementwise_min", 2, Elements::Any},
    {"elementwise_add_sat", 2, Elements::Integer},
    {"elementwise_sub_sat", 2, Elements::Integer},
    {"elementwise_bitreverse", 1, Elements::Integer},
    {"elementwise_popcount", 1, Elements::Integer},
    {"elementwise_clzg", 1, Elements::Integer, 1},
    {"elementwise_ctzg", 1, Elements::Integer, 1},
    {"elementwise_fshl", 3, Elements::Integer},
    {"elementwise_fshr", 3, Elements::Integer},
    {"reduce_max", 1, Elements::VectorOfAny},
    {"reduce_min", 1, Elements::VectorOfAny},
    {"reduce_maximum", 1, Elements::VectorOfFloating},
    {"reduce_minimum", 1, Elements::VectorOfFloating},
    {"reduce_add", 1, Elements::VectorOfInteger},
    {"reduce_mul", 1, Elements::VectorOfInteger},
    {"reduce_and", 1, Elements::VectorOfInteger},
    {"reduce_or", 1, Elements::VectorOfInteger},
    {"reduce_xor", 1, Elements::VectorOfInteger},
};

/// What the argument should be; empty if it is correct.
std::string_view unmet(Elements takes, const Type* type) {
    const bool integer = type->is_integer_or_vector();
    switch (takes) {
        case Elements::Any:
            return type->is_arithmetic_or_vector() ? "" : "a vector, integer or floating point type";
        case Elements::Floating:
        case Elements::FloatingAndInteger:
            return type->is_floating_or_vector() ? "" : "a floating point type";
        case Elements::SignedOrFloating:
            return type->is_floating_or_vector() || (integer && type->scalar()->is_signed())
                       ? ""
                       : "a signed integer or floating point type";
        case Elements::Integer: return integer ? "" : "an integer or a vector of integers";
        case Elements::VectorOfAny: return type->is_vector() ? "" : "a vector type";
        case Elements::VectorOfFloating:
            return type->is_vector() && type->is_floating_or_vector() ? ""
                                                                      : "a vector of floating point types";
        case Elements::VectorOfInteger: return type->is_vector() && integer ? "" : "a vector of integers";
    }
    return "";
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr FloatConstant kFloatConstants[] = {
    {"__builtin_inf", kInfinity, false, TypeKind::Double},
    {"__builtin_inff", kInfinity, false, TypeKind::Float},
    {"__builtin_inff16", kInfinity, false, TypeKind::Half},
    {"__builtin_huge_val", kInfinity, false, TypeKind::Double},
    {"__builtin_huge_valf", kInfinity, false, TypeKind::Float},
    {"__builtin_huge_valf16", kInfinity, false, TypeKind::Half},
    {"__builtin_nan", kNan, true, TypeKind::Double},
    {"__builtin_nanf", kNan, true, TypeKind::Float},
    {"__builtin_nanf16", kNan, true, TypeKind::Half},
    {"__builtin_nans", kNan, true, TypeKind::Double, true},
    {"__builtin_nansf", kNan, true, TypeKind::Float, true},
    {"__builtin_nansf16", kNan, true, TypeKind::Half, true},
};

const FloatConstant* float_constant(std::string_view name, const Features& features) {
    const auto* found = std::ranges::find(kFloatConstants, name, &FloatConstant::name);
    if (found == std::end(kFloatConstants)) return nullptr;
    const bool half = found->type == TypeKind::Half;
    return half && !features.has(Ext::Fp16) ? nullptr : found;
}

/// The pattern of a NaN whose payload is the number in `text`, as of nan("0x12"). A signaling one has a
/// payload that is not zero.
uint64_t nan_bits(uint64_t bytes, bool signaling, std::string_view text) {
    const FloatBits format(bytes);
    const uint64_t quiet_bit = format.quiet - format.infinity;
    const std::string digits(text);
    char* end = nullptr;
    const uint64_t number = std::strtoull(digits.c_str(), &end, 0);
    const uint64_t payload = *end == '\0' ? number & (quiet_bit - 1) : 0;
    if (!signaling) return format.quiet | payload;
    return format.infinity | (payload == 0 ? quiet_bit >> 1 : payload);
}

/// Whether an expression is a number or a string that the compiler knows, as __builtin_constant_p has it:
/// other addresses, vectors and records are not.
bool is_known_number(const Expr& e, Arena& arena) {
    const auto known = evaluate(e, arena);
    if (!known) return false;
    if (known->base || known->literal) return false;
    if (known->string) return known->offset_bytes == 0;
    return known->kind != ConstantValue::Kind::Aggregate;
}

/// clang's functions that say where they are called; they take no arguments.
constexpr std::string_view kPlaces[] = {"__builtin_COLUMN", "__builtin_FILE", "__builtin_FUNCTION",
                                        "__builtin_LINE"};

bool is_place(std::string_view name) { return std::ranges::find(kPlaces, name) != std::end(kPlaces); }

}  // namespace

/// The functions of the parser, of this file and of the table, and all other functions of clang with such
/// names.
bool knows_gnu_builtin(std::string_view name, const Features& features) {
    static constexpr std::string_view kOthers[] = {
        "__atomic_always_lock_free", "__atomic_is_lock_free",
        "__c11_atomic_is_lock_free", "__builtin_astype",
        "__builtin_choose_expr",     "__builtin_constant_p",
        "__builtin_convertvector",   "__builtin_offsetof",
        "__builtin_object_size",     "printf",
        "__builtin_shufflevector",   "__builtin_types_compatible_p"};
    if (std::ranges::find(kOthers, name) != std::end(kOthers) || is_place(name)) return true;
    if (float_constant(name, features)) return true;
    return name.starts_with("__") && builtin::is_builtin(name, features);
}

/// clang's functions for C that Caldera has too.
bool knows_feature(std::string_view name, const Features& features) {
    if (name == "blocks") return features.has(Ext::DeviceEnqueue);
    return name == "attribute_overloadable" || name == "attribute_ext_vector_type" ||
           name == "enumerator_attributes" || name == "attribute_deprecated_with_message";
}

/// The constant value of a call, or null if `name` is not a function of this kind.
Expr* Checker::constant_builtin(CallExpr& e, std::string_view name) {
    auto wrong_count = [&](size_t wanted) {
        diags_.error(e.close_paren ? e.close_paren : e.range, e.args.size() < wanted ? "too few" : "too many",
                     " arguments to function call, expected ", wanted, ", have ", e.args.size());
        return error_expr(e);
    };
    if (const FloatConstant* found = float_constant(name, features_)) {
        if (e.args.size() != (found->takes_text ? 1 : 0)) return wrong_count(found->takes_text ? 1 : 0);
        if (found->takes_text) return nan_constant(e, found->type, found->signaling);
        auto* literal = make_node<FloatLiteralExpr>(arena_, e.range);
        literal->value = found->value;
        literal->text = name;
        literal->type = {.type = types_.scalar(found->type)};
        return float_literal(*literal);
    }
    if (name == "__builtin_constant_p") {
        if (e.args.size() != 1) return wrong_count(1);
        ++unevaluated_;
        const Expr* arg = value(e.args[0]);
        --unevaluated_;
        if (is_error(arg)) return error_expr(e);
        return int_constant(is_known_number(*arg, arena_), int_type().type, e.range);
    }
    if (name == "__builtin_object_size") {
        if (e.args.size() != 2) return wrong_count(2);
        if (!check_arguments(e)) return error_expr(e);
        const auto kind = evaluate_integer(*e.args[1]);
        if (!kind || *kind > 3) {
            diags_.error(e.args[1]->range, "argument to '__builtin_object_size' must be a constant integer");
            return error_expr(e);
        }
        const uint64_t unknown = *kind & 2 ? 0 : ~uint64_t{0};
        return int_constant(unknown, types_.scalar(TypeKind::ULong), e.range);
    }
    if (is_place(name)) return e.args.empty() ? place_constant(e, name) : wrong_count(0);
    if (name == "__builtin_shufflevector") return shuffle_vector(e);
    if (name == "__atomic_always_lock_free" || name == "__atomic_is_lock_free") return lock_free(e, 2);
    if (name == "__c11_atomic_is_lock_free") return lock_free(e, 1);
    return nullptr;
}

/// `__builtin_LINE()` and its kin: a uint, or a pointer to a text in the constant space. The place is that of
/// `__LINE__`: where the use of a macro ends.
Expr* Checker::place_constant(const CallExpr& e, std::string_view name) {
    const SourceManager* sources = diags_.sources();
    const PresumedLoc place =
        sources ? sources->presumed(sources->expansion_end(e.range.begin)) : PresumedLoc();
    const bool line = name == "__builtin_LINE";
    if (line || name == "__builtin_COLUMN")
        return int_constant(line ? place.line : place.column, types_.scalar(TypeKind::UInt), e.range);
    auto* text = make_node<StringLiteralExpr>(arena_, e.range);
    if (name == "__builtin_FILE") {
        text->value = arena_.copy(place.file);
    } else if (function_) {
        text->value = function_->decl->name;
    }
    return rvalue(string_literal(*text));
}

/// `__builtin_nanf("0x12")`: the float with this pattern of bits.
Expr* Checker::nan_constant(CallExpr& e, TypeKind kind, bool signaling) {
    const auto* text = dyn<StringLiteralExpr>(strip_parens(e.args[0]));
    if (!text) {
        diags_.error(e.args[0]->range, "argument to '", called(e), "' must be a string literal");
        return error_expr(e);
    }
    const Type* type = types_.scalar(kind);
    const Type* bits = types_.int_of_width(static_cast<uint32_t>(8 * type->size_bytes), false);
    return cast(int_constant(nan_bits(type->size_bytes, signaling, text->value), bits, e.range),
                CastKind::BitCast, {.type = type});
}

/// `__builtin_shufflevector(a, b, i…)` is a swizzle of one of the vectors, or of both as one.
Expr* Checker::shuffle_vector(CallExpr& e) {
    if (!check_arguments(e)) return error_expr(e);
    auto fault = [&](SourceRange at, auto... text) {
        diags_.error(at, text...);
        return error_expr(e);
    };
    if (e.args.size() < 2)
        return fault(e.close_paren ? e.close_paren : e.range,
                     "too few arguments to function call, expected at least 2, have ", e.args.size());
    for (Expr*& arg : e.args) arg = rvalue(arg);
    const Type *a = e.args[0]->type.type, *b = e.args[1]->type.type;
    if (!a->is_vector() || !b->is_vector())
        return fault(e.range, "first two arguments to '__builtin_shufflevector' must be vectors");
    if (a != b)
        return fault(e.range, "first two arguments to '__builtin_shufflevector' must have the same type");
    const uint64_t lanes = a->lanes();
    auto* node = make_node<SwizzleExpr>(arena_, e.range);
    const std::span<Expr*> indices = e.args.subspan(2);
    if (indices.size() != 2 && indices.size() != 3 && indices.size() != 4 && indices.size() != 8 &&
        indices.size() != 16)
        return fault(e.range, "'__builtin_shufflevector' with ", indices.size(),
                     " indices is not supported; expected 2, 3, 4, 8 or 16");
    bool first = false, second = false;
    for (const Expr* index : indices) {
        const auto value = evaluate_strictly(*index);
        if (!value)
            return fault(index->range, "index for '__builtin_shufflevector' must be a constant integer");
        const uint64_t all_bits = ~uint64_t{0} >> (64 - 8 * index->type->size_bytes);
        const bool any = index->type->is_signed() && *value == all_bits;  // -1
        if (!any && *value >= 2 * lanes)
            return fault(index->range,
                         "index for '__builtin_shufflevector' must be less than the total number ",
                         "of vector elements");
        node->lanes[node->lane_count++] = any ? 0 : static_cast<uint8_t>(*value);
        if (!any) (*value < lanes ? first : second) = true;
    }
    node->base = e.args[second && !first ? 1 : 0];
    if (first && second) {
        const auto together = static_cast<uint32_t>(std::bit_ceil(2 * lanes));
        if (together > 16)
            return fault(e.range, "'__builtin_shufflevector' of two vectors of 16 elements is not supported");
        auto* both = make_node<VectorLiteralExpr>(arena_, e.range);
        both->type = {.type = types_.with_lanes(a, together)};
        std::vector<Expr*> parts = {e.args[0], e.args[1]};
        while (parts.size() - 2 < together - 2 * lanes)  // of two vectors of three
            parts.push_back(to_arithmetic(int_constant(0, int_type().type, e.range), a->element.type));
        both->elements = arena_.copy(std::span<Expr* const>(parts));
        node->base = both;
    } else if (second) {
        for (uint8_t i = 0; i < node->lane_count; ++i) node->lanes[i] %= lanes;
    }
    node->type = {.type = types_.with_lanes(a, node->lane_count)};
    return node;
}

/// Whether the arguments of such a function are valid. Several arguments get one type by the usual arithmetic
/// conversions.
bool Checker::elementwise_arguments(CallExpr& e, std::string_view name) {
    constexpr std::string_view kPrefix = "__builtin_";
    const auto* function =
        !name.starts_with(kPrefix)
            ? std::end(kElementwise)
            : std::ranges::find(kElementwise, name.substr(kPrefix.size()), &ElementwiseFunction::name);
    if (function == std::end(kElementwise)) return true;
    const size_t given = e.args.size(), most = function->count + function->optional;
    if (given < function->count || given > most) {
        const bool few = given < function->count;
        diags_.error(e.close_paren ? e.close_paren : e.range, few ? "too few" : "too many",
                     " arguments to function call, expected ",
                     function->optional == 0 ? "" : (few ? "at least " : "at most "),
                     few ? function->count : most, ", have ", given);
        return false;
    }
    for (Expr*& arg : e.args) {
        arg = rvalue(arg);
        if (is_error(arg)) return false;
    }
    const bool alike = function->takes != Elements::FloatingAndInteger;
    if (alike && given > 1 && !alike_arguments(e)) return false;
    auto must_be = [&](std::string_view which, std::string_view wanted, const Expr& arg) {
        if (!wanted.empty())
            diags_.error(arg.range, which, " argument must be ", wanted, ", but is '", arg.type, "'");
        return wanted.empty();
    };
    const Type* first = e.args[0]->type.type;
    if (!must_be("first", unmet(function->takes, first), *e.args[0])) return false;
    if (alike) return true;
    const Type* second = e.args[1]->type.type;
    const bool fits = second->is_integer_or_vector() && second->lanes() == first->lanes();
    return must_be("second", fits ? "" : "an integer for each element", *e.args[1]);
}

/// Converts scalar arguments to their common type. Those of one type keep it: fshl of bytes is one of bytes.
/// Vectors must have one type.
bool Checker::alike_arguments(CallExpr& e) {
    const Type* common = e.args[0]->type.type;
    if (std::ranges::all_of(e.args, [&](const Expr* arg) { return arg->type.type == common; })) return true;
    for (const Expr* arg : e.args.subspan(1)) {
        const Type* type = arg->type.type;
        const bool scalars = common->is_arithmetic() && type->is_arithmetic();
        if (!scalars && type != common) {
            diags_.error(e.args[0]->range, "arguments are of different types ('", e.args[0]->type, "' and '",
                         arg->type, "')");
            return false;
        }
        if (scalars) common = usual_arithmetic(types_, common, type, false, false);
    }
    if (common->is_arithmetic())
        for (Expr*& arg : e.args) arg = to_common(arg, common);
    return true;
}

/// `__builtin_add_overflow(a, b, &sum)` and its like: integers of any types, and a result of any.
bool Checker::overflow_call(CallExpr& e) {
    if (!exact_count(e, 3)) return false;
    auto takes = [](const Type* type) { return type->is_integer() && type->kind != TypeKind::Bool; };
    for (const Expr* arg : e.args.first(2))
        if (!takes(arg->type.type)) {
            diags_.error(arg->range, "operand argument to overflow builtin must be an integer ('", arg->type,
                         "' invalid)");
            return false;
        }
    const Type* result = e.args[2]->type.type;
    if (!result->is_pointer() || result->element.is_const || !takes(result->element.type)) {
        diags_.error(e.args[2]->range,
                     "result argument to overflow builtin must be a pointer to a non-const integer ('",
                     e.args[2]->type, "' invalid)");
        return false;
    }
    return true;
}

/// `__builtin_is_aligned`, `__builtin_align_up` and `__builtin_align_down` of an integer or a pointer.
bool Checker::alignment_call(CallExpr& e) {
    if (!exact_count(e, 2)) return false;
    const Type* type = e.args[0]->type.type;
    const bool integer = type->is_integer() && type->kind != TypeKind::Bool;
    if (!integer && !type->is_pointer()) {
        diags_.error(e.args[0]->range, "operand of type '", e.args[0]->type,
                     "' where arithmetic or pointer type required");
        return false;
    }
    if (!e.args[1]->type->is_integer()) {
        diags_.error(e.args[1]->range, "alignment must be an integer, but is '", e.args[1]->type, "'");
        return false;
    }
    if (const auto alignment = evaluate_integer(*e.args[1])) {
        const uint64_t bits = 8 * type->size_bytes, most = uint64_t{1} << (bits - 1);
        const std::string fault = *alignment == 0                    ? "must be 1 or greater"
                                  : !std::has_single_bit(*alignment) ? "is not a power of 2"
                                  : *alignment > most ? "must be " + std::to_string(most) + " or smaller"
                                                      : "";
        if (!fault.empty()) {
            diags_.error(e.args[1]->range, "requested alignment ", fault);
            return false;
        }
    }
    if (called(e) != "__builtin_is_aligned") e.type = {.type = type};
    return true;
}

/// Whether the mask of `__builtin_isfpclass` is a constant.
bool Checker::class_mask(const CallExpr& e) {
    const auto mask = evaluate_integer(*e.args[1]);
    if (mask && *mask < 1024) return true;
    diags_.error(e.args[1]->range, mask ? "mask of '__builtin_isfpclass' must be between 0 and 1023"
                                        : "argument to '__builtin_isfpclass' must be a constant integer");
    return false;
}

/// `__auto_type x = e;`: the type of x is that of e.
void Checker::deduce_type(VarDecl& var) {
    Specifiers& spec = *var.specifiers;
    last_specifiers_ = nullptr;
    spec.builtin = types_.error();
    if (!var.init) {
        diags_.error(var.name_range, "declaration of variable '", var.name,
                     "' with deduced type '__auto_type' requires an initializer");
    } else if (var.init->kind == ExprKind::InitList) {
        diags_.error(var.init->range, "cannot use '__auto_type' with initializer list in C");
        var.init = nullptr;
    } else {
        var.init = value(var.init);
        spec.builtin = var.init->type.type;
        const VarDecl* first = spec.deduced_for;
        if (!first && !is_error(var.init)) spec.deduced_for = &var;
        if (first && !is_error(var.init) &&
            !compatible(first->type.unqualified(), var.init->type.unqualified()))
            diags_.error(spec.base_range, "'__auto_type' deduced as '", first->type.unqualified(),
                         "' in declaration of '", first->name, "' and deduced as '",
                         var.init->type.unqualified(), "' in declaration of '", var.name, "'");
    }
}

}  // namespace caldera::frontend
