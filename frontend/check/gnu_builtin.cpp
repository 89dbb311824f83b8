// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's __builtin_ functions whose value is known while the program is compiled. The others are
// rows of builtin/gnu_builtins.def.
#include <algorithm>
#include <bit>
#include <limits>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

struct FloatConstant {
    std::string_view name;
    double value;
    bool takes_text;  ///< nan("")
    TypeKind type;
};

/// The elementwise and reducing functions, with the number and the types of their arguments.
enum class Elements : uint8_t { Any, Floating, SignedOrFloating, Integer, VectorOfAny, VectorOfInteger };
struct ElementwiseFunction {
    std::string_view name;
    size_t count;
    Elements takes;
};
constexpr ElementwiseFunction kElementwise[] = {
    {"__builtin_elementwise_abs", 1, Elements::SignedOrFloating},
    {"__builtin_elementwise_ceil", 1, Elements::Floating},
    {"__builtin_elementwise_floor", 1, Elements::Floating},
    {"__builtin_elementwise_roundeven", 1, Elements::Floating},
    {"__builtin_elementwise_trunc", 1, Elements::Floating},
    {"__builtin_elementwise_max", 2, Elements::Any},
    {"__builtin_elementwise_min", 2, Elements::Any},
    {"__builtin_elementwise_add_sat", 2, Elements::Integer},
    {"__builtin_elementwise_sub_sat", 2, Elements::Integer},
    {"__builtin_reduce_max", 1, Elements::VectorOfAny},
    {"__builtin_reduce_min", 1, Elements::VectorOfAny},
    {"__builtin_reduce_add", 1, Elements::VectorOfInteger},
    {"__builtin_reduce_mul", 1, Elements::VectorOfInteger},
    {"__builtin_reduce_and", 1, Elements::VectorOfInteger},
    {"__builtin_reduce_or", 1, Elements::VectorOfInteger},
    {"__builtin_reduce_xor", 1, Elements::VectorOfInteger},
};

/// What the argument should be; empty if it is correct.
std::string_view unmet(Elements takes, const Type* type) {
    const bool integer = type->is_integer_or_vector();
    switch (takes) {
        case Elements::Any:
            return type->is_arithmetic_or_vector() ? "" : "a vector, integer or floating point type";
        case Elements::Floating: return type->is_floating_or_vector() ? "" : "a floating point type";
        case Elements::SignedOrFloating:
            return type->is_floating_or_vector() || (integer && type->scalar()->is_signed())
                       ? ""
                       : "a signed integer or floating point type";
        case Elements::Integer: return integer ? "" : "an integer or a vector of integers";
        case Elements::VectorOfAny: return type->is_vector() ? "" : "a vector type";
        case Elements::VectorOfInteger: return type->is_vector() && integer ? "" : "a vector of integers";
    }
    return "";
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr FloatConstant kFloatConstants[] = {
    {"__builtin_inf", kInfinity, false, TypeKind::Double},
    {"__builtin_inff", kInfinity, false, TypeKind::Float},
    {"__builtin_huge_val", kInfinity, false, TypeKind::Double},
    {"__builtin_huge_valf", kInfinity, false, TypeKind::Float},
    {"__builtin_nan", kNan, true, TypeKind::Double},
    {"__builtin_nanf", kNan, true, TypeKind::Float},
};

}  // namespace

/// The functions of the parser, of this file and of the table, and all other functions of clang with such
/// names.
bool knows_gnu_builtin(std::string_view name, const Features& features) {
    static constexpr std::string_view kOthers[] = {"__builtin_astype",
                                                   "__builtin_choose_expr",
                                                   "__builtin_constant_p",
                                                   "__builtin_convertvector",
                                                   "__builtin_offsetof",
                                                   "__builtin_object_size",
                                                   "printf",
                                                   "__builtin_shufflevector",
                                                   "__builtin_types_compatible_p"};
    if (std::ranges::find(kOthers, name) != std::end(kOthers)) return true;
    if (std::ranges::find(kFloatConstants, name, &FloatConstant::name) != std::end(kFloatConstants))
        return true;
    return name.starts_with("__builtin_") && builtin::is_builtin(name, features);
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
    auto found = std::ranges::find(kFloatConstants, name, &FloatConstant::name);
    if (found != std::end(kFloatConstants)) {
        if (e.args.size() != (found->takes_text ? 1 : 0)) return wrong_count(found->takes_text ? 1 : 0);
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
        return int_constant(evaluate(*arg, arena_).has_value(), int_type().type, e.range);
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
    if (name == "__builtin_shufflevector") return shuffle_vector(e);
    return nullptr;
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
        const auto value = evaluate_integer(*index);
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

/// Whether the arguments of such a function are valid. Two arguments get one type by the usual arithmetic
/// conversions.
bool Checker::elementwise_arguments(CallExpr& e, std::string_view name) {
    const auto* function = std::ranges::find(kElementwise, name, &ElementwiseFunction::name);
    if (function == std::end(kElementwise)) return true;
    if (e.args.size() != function->count) {
        diags_.error(e.close_paren ? e.close_paren : e.range,
                     e.args.size() < function->count ? "too few" : "too many",
                     " arguments to function call, expected ", function->count, ", have ", e.args.size());
        return false;
    }
    for (Expr*& arg : e.args) {
        arg = rvalue(arg);
        if (is_error(arg)) return false;
    }
    if (function->count == 2) {
        const Type *a = e.args[0]->type.type, *b = e.args[1]->type.type;
        const bool scalars = a->is_arithmetic() && b->is_arithmetic();
        const Type* common = scalars ? usual_arithmetic(types_, a, b, false, false) : a == b ? a : nullptr;
        if (!common) {
            diags_.error(e.args[0]->range, "arguments are of different types ('", e.args[0]->type, "' and '",
                         e.args[1]->type, "')");
            return false;
        }
        if (scalars)
            for (Expr*& arg : e.args) arg = to_common(arg, common);
    }
    const std::string_view wanted = unmet(function->takes, e.args[0]->type.type);
    if (!wanted.empty())
        diags_.error(e.args[0]->range, "first argument must be ", wanted, ", but is '", e.args[0]->type, "'");
    return wanted.empty();
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
    }
}

}  // namespace caldera::frontend
