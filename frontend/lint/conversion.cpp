// SPDX-License-Identifier: Apache-2.0
// Implicit conversions that change values or may (-Wconversion). Like clang, a value is looked at where it is
// taken: with the type that it has after all the conversions that nobody wrote.
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "frontend/ast/operators.h"
#include "frontend/check/checker.h"
#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

/// The largest double has 309 digits.
std::string printed(double number, std::chars_format format, int precision) {
    char text[400];
    const auto end = std::to_chars(text, text + sizeof text, number, format, precision).ptr;
    return {text, end};
}

std::string shortest(double number, const Type* type) {
    return printed(number, std::chars_format::general, type->kind == TypeKind::Double ? 15 : 7);
}

/// Significant bits of a floating type.
unsigned precision(const Type* type) {
    if (type->kind == TypeKind::Float8E4M3) return 4;
    if (type->kind == TypeKind::Float8E5M2) return 3;
    if (type->kind == TypeKind::BFloat16) return 8;
    return type->kind == TypeKind::Half ? 11 : type->kind == TypeKind::Float ? 24 : 53;
}

/// A literal, with a sign or without.
bool is_float_literal(const Expr& e) {
    const Expr* inner = &below_conversions(e);
    if (auto* sign = dyn<UnaryExpr>(inner); sign && (sign->op == UnaryOp::Minus || sign->op == UnaryOp::Plus))
        inner = &below_conversions(*sign->operand);
    return inner->kind == ExprKind::FloatLiteral;
}

const EnumDecl* enumeration_of(const Expr& e) {
    if (auto* ref = dyn<DeclRefExpr>(&e))
        if (auto* constant = dyn<EnumConstantDecl>(ref->decl)) return constant->parent;
    return e.type->kind == TypeKind::Enum ? e.type->enum_decl : nullptr;
}

}  // namespace

void Linter::conversion(const Expr& e, SourceRange context) {
    const Expr& source = below_conversions(e);
    const Type* to = e.type.type;
    if (source.kind == ExprKind::Conditional) {  // each arm on its own
        auto& choice = as<ConditionalExpr>(source);
        if (!choice.if_true) return;
        for (const Expr* arm : {choice.if_true, choice.if_false}) {
            const Expr& inner = below_conversions(*arm);
            if (inner.kind != ExprKind::Conditional) converted(inner, to, context, true);
        }
        return;
    }
    converted(source, to, context, false);
}

void Linter::converted(const Expr& e, const Type* whole, SourceRange context, bool in_conditional) {
    const Type* from = e.type.type;
    if (!from || !whole || from == whole || from->is_error() || whole->is_error()) return;
    if (from->is_vector()) return;  // between vectors only bits move
    const Type* to = whole->scalar();
    if (!from->is_arithmetic() || !to->is_arithmetic() || from == to) return;
    if (from->is_floating())
        return to->is_floating() ? float_to_float(e, to, whole, context)
                                 : float_to_int(e, to, whole, context);
    if (to->is_floating()) return int_to_float(e, to, whole, context);
    if (to->kind == TypeKind::Bool) return;
    int_to_int(e, to, whole, context, in_conditional);
}

void Linter::float_to_float(const Expr& e, const Type* to, const Type* whole, SourceRange context) {
    const Type* from = e.type.type;
    if (precision(from) < precision(to)) {
        diags_
            .warning(Warning::DoublePromotion, expr_place(e),
                     "implicit conversion increases floating-point precision: '", from, "' to '", whole, "'")
            .highlight(e.range)
            .highlight(context);
        return;
    }
    if (auto constant = evaluate(e, arena_)) {
        double value = constant->number;
        double kept = to->kind == TypeKind::Float ? static_cast<float>(value) : value;
        if (kept == value || value != value) return;
    }
    diags_
        .warning(Warning::ImplicitFloatConversion, expr_place(e),
                 "implicit conversion loses floating-point precision: '", from, "' to '", whole, "'")
        .highlight(e.range)
        .highlight(context);
}

void Linter::float_to_int(const Expr& e, const Type* to, const Type* whole, SourceRange context) {
    const Type* from = e.type.type;
    auto finish = [&](Diagnostics::Handle handle) { handle.highlight(e.range).highlight(context); };
    auto plain = [&] {
        finish(diags_.warning(Warning::FloatConversion, expr_place(e),
                              "implicit conversion turns floating-point number into integer: '", from,
                              "' to '", whole, "'"));
    };
    auto constant = evaluate(e, arena_);
    if (!constant) return plain();
    bool literal = is_float_literal(e), is_bool = to->kind == TypeKind::Bool;
    double value = constant->number, whole_part = std::trunc(value);
    unsigned bits = static_cast<unsigned>(to->size_bytes) * 8;
    double least = to->is_signed() ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0;
    double past = std::ldexp(1.0, static_cast<int>(to->is_signed() ? bits - 1 : bits));
    bool fits = whole_part >= least && whole_part < past;
    if (is_bool) fits = true;
    if (fits && (is_bool ? value == 0 || value == 1 : value == whole_part)) {
        if (!literal) plain();
        return;
    }
    if (!fits) {
        finish(diags_.warning(literal ? Warning::LiteralConversion : Warning::FloatOverflow, expr_place(e),
                              "implicit conversion of out of range value from '", from, "' to '", whole,
                              "' is undefined"));
        return;
    }
    bool to_zero = whole_part == 0;
    bool extreme = whole_part == least || whole_part == past - 1;
    if (!literal && (to_zero ? value == 0 : !extreme)) return plain();
    Warning group = literal   ? Warning::LiteralConversion
                    : to_zero ? Warning::FloatZero
                              : Warning::FloatOverflow;
    std::string target = is_bool ? (value == 0 ? "false" : "true") : shortest(whole_part, to);
    if (target == "-0") target = "0";
    finish(diags_.warning(group, expr_place(e), "implicit conversion from '", from, "' to '", whole,
                          "' changes ", !literal && to_zero ? "non-zero " : "", "value from ",
                          shortest(value, from), " to ", target));
}

void Linter::int_to_float(const Expr& e, const Type* to, const Type* whole, SourceRange context) {
    const Type* from = e.type.type;
    if (range_of(e, true).width <= precision(to)) return;
    auto finish = [&](Diagnostics::Handle handle) { handle.highlight(e.range).highlight(context); };
    auto bits = evaluate_integer(e);
    if (!bits) {
        finish(diags_.warning(Warning::ImplicitIntFloat, expr_place(e), "implicit conversion from '", from,
                              "' to '", whole, "' may lose precision"));
        return;
    }
    uint64_t value = extend_sign(*bits, *from);
    uint64_t size = from->is_signed() && static_cast<int64_t>(value) < 0 ? ~value + 1 : value;
    unsigned significant = static_cast<unsigned>(std::bit_width(size) - std::countr_zero(size));
    if (significant <= precision(to)) return;
    double number =
        from->is_signed() ? static_cast<double>(static_cast<int64_t>(value)) : static_cast<double>(value);
    if (to->kind == TypeKind::Float)
        number =
            from->is_signed() ? static_cast<float>(static_cast<int64_t>(value)) : static_cast<float>(value);
    finish(diags_.warning(Warning::ImplicitConstIntFloat, expr_place(e), "implicit conversion from '", from,
                          "' to '", whole, "' changes value from ", decimal(*bits, *from), " to ",
                          printed(number, std::chars_format::fixed, 0)));
}

bool Linter::enum_to_enum(const Expr& e, const Type* to, SourceRange context) {
    const EnumDecl *from = enumeration_of(e), *target = to->kind == TypeKind::Enum ? to->enum_decl : nullptr;
    if (!from || !target || from == target || from->name.empty() || target->name.empty()) return false;
    diags_
        .warning(Warning::EnumConversion, expr_place(e), "implicit conversion from enumeration type 'enum ",
                 from->name, "' to different enumeration type '", to, "'")
        .highlight(e.range)
        .highlight(context);
    return true;
}

void Linter::int_to_int(const Expr& e, const Type* to, const Type* whole, SourceRange context,
                        bool in_conditional) {
    if (enum_to_enum(e, to, context)) return;
    if (enumeration_of(e) && enumeration_of(e)->enum_type == to) return;
    const Type* from = e.type.type;
    IntRange source = range_of(e, true), target = range_of_type(to);
    auto finish = [&](Diagnostics::Handle handle) { handle.highlight(e.range).highlight(context); };
    auto bits = evaluate_integer(e);
    bool turns_negative = source.width == target.width && !target.non_negative && source.non_negative;
    if (bits && (source.width > target.width || (turns_negative && from->is_signed()))) {
        finish(diags_.warning(Warning::ConstantConversion, expr_place(e), "implicit conversion from '", from,
                              "' to '", whole, "' changes value from ", decimal(*bits, *from), " to ",
                              decimal(*bits, *to)));
        return;
    }
    if (source.width > target.width) {
        bool shortens = target.width == 32 && from->size_bytes == 8;
        finish(diags_.warning(shortens ? Warning::Shorten64To32 : Warning::ImplicitIntConversion,
                              expr_place(e), "implicit conversion loses integer precision: '", from, "' to '",
                              whole, "'"));
        return;
    }
    auto* minus = dyn<UnaryExpr>(&e);
    if (minus && minus->op == UnaryOp::Minus && !from->is_signed() && to->size_bytes > from->size_bytes) {
        finish(diags_.warning(Warning::SignConversion, expr_place(e),
                              to->is_signed()
                                  ? "the resulting value is always non-negative after implicit conversion"
                                  : "higher order bits are zeroes after implicit conversion"));
        return;
    }
    if ((target.non_negative && !source.non_negative) || turns_negative)
        finish(diags_.warning(Warning::SignConversion, expr_place(e),
                              in_conditional ? "operand of ? changes signedness: '"
                                             : "implicit conversion changes signedness: '",
                              from, "' to '", whole, "'"));
}

/// `i += 0.5f`: the value is computed in a floating type and stored in a smaller or an integer one.
void Linter::compound_result(const AssignExpr& e) {
    const Type *to = e.lhs->type.type, *computed = e.computation_type;
    if (!computed || !computed->is_floating() || !to->is_arithmetic() || to == computed) return;
    const Type* right = below_conversions(*e.rhs).type.type;
    if (to->is_integer())
        diags_
            .warning(Warning::FloatConversion, e.op_range,
                     "implicit conversion turns floating-point number into integer: '", right, "' to '", to,
                     "'")
            .highlight(e.lhs->range)
            .highlight(e.rhs->range);
    else if (precision(to) < precision(computed))
        diags_
            .warning(
                Warning::ImplicitFloatConversion, expr_place(*e.rhs),
                "implicit conversion when assigning computation result loses floating-point precision: '",
                right, "' to '", to, "'")
            .highlight(e.rhs->range)
            .highlight(e.op_range);
}

}  // namespace caldera::frontend
