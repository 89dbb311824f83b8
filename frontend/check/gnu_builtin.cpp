// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's __builtin_ functions whose value is known while the program is compiled. The others are rows of
// builtin/gnu_builtins.def.
#include <algorithm>
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

/// The constant that a call stands for; null when `name` is no function of this kind.
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
    return nullptr;
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
