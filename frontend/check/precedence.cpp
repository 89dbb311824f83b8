// SPDX-License-Identifier: Apache-2.0
// Warnings of operators that bind otherwise than they look: -Wparentheses and its kin. The operands are as
// written, before any conversion, so that a parenthesis shows.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

std::string_view spelling(BinaryOp op) {
    static constexpr std::string_view kSpellings[] = {"*",  "/",  "%",  "+", "-", "<<", ">>", "<",  ">", "<=",
                                                      ">=", "==", "!=", "&", "^", "|",  "&&", "||", ","};
    return kSpellings[static_cast<size_t>(op)];
}

bool is_comparison(const BinaryExpr* e) { return e && is_comparison(e->op); }
bool is_bitwise(const BinaryExpr* e) {
    return e && (e->op == BinaryOp::And || e->op == BinaryOp::Or || e->op == BinaryOp::Xor);
}

/// Whether the form of an expression implies that it is 0 or 1.
bool is_boolean(const Expr* e) {
    e = strip_parens(e);
    if (e->type && e->type->kind == TypeKind::Bool) return true;
    auto* unary = dyn<UnaryExpr>(e);
    auto* binary = dyn<BinaryExpr>(e);
    return (unary && unary->op == UnaryOp::LogicalNot) || is_comparison(binary) ||
           (binary && (binary->op == BinaryOp::LogicalAnd || binary->op == BinaryOp::LogicalOr));
}

}  // namespace

void Checker::warn_precedence(const BinaryExpr& e) {
    auto *left = dyn<BinaryExpr>(e.lhs), *right = dyn<BinaryExpr>(e.rhs);
    auto note = [&](Diagnostics::Handle handle, const BinaryExpr& inner) {
        handle.note(inner.op_range, "place parentheses around the '", spelling(inner.op),
                    "' expression to silence this warning");
    };
    if (is_bitwise(&e)) {
        // Two comparisons joined by & are a && that evaluates both sides. No warning.
        if (is_comparison(left) != is_comparison(right) && !is_bitwise(left) && !is_bitwise(right)) {
            const BinaryExpr& inner = is_comparison(left) ? *left : *right;
            auto handle = diags_.warning(Warning::Parentheses, e.op_range, spelling(e.op),
                                         " has lower precedence than ", spelling(inner.op), "; ",
                                         spelling(inner.op), " will be evaluated first");
            handle.highlight(inner.range);
            note(handle, inner);
        }
        for (auto* inner : {left, right})
            if (inner && is_bitwise(inner) && inner->op < e.op)  // & before ^ before |
                note(diags_.warning(Warning::BitwiseOpParentheses, inner->op_range, "'", spelling(inner->op),
                                    "' within '", spelling(e.op), "'"),
                     *inner);
    }
    if (e.op == BinaryOp::LogicalOr)
        for (auto* inner : {left, right})
            if (inner && inner->op == BinaryOp::LogicalAnd)
                note(diags_.warning(Warning::LogicalOpParentheses, inner->op_range, "'&&' within '||'"),
                     *inner);
    if ((e.op == BinaryOp::Shl || e.op == BinaryOp::Shr) && e.lhs->type->is_integer())
        for (auto* inner : {left, right})
            if (inner && (inner->op == BinaryOp::Add || inner->op == BinaryOp::Sub))
                note(diags_
                         .warning(Warning::ShiftOpParentheses, inner->op_range, "operator '", spelling(e.op),
                                  "' has lower precedence than '", spelling(inner->op), "'; '",
                                  spelling(inner->op), "' will be evaluated first")
                         .highlight(e.lhs->range)
                         .highlight(e.rhs->range),
                     *inner);
    auto* negation = dyn<UnaryExpr>(e.lhs);
    bool checks = is_comparison(&e) || e.op == BinaryOp::And;
    if (checks && negation && negation->op == UnaryOp::LogicalNot && e.rhs->type->is_scalar() &&
        !is_boolean(e.rhs) && !is_boolean(negation->operand)) {
        const char* const what = is_comparison(&e) ? "comparison" : "bitwise operator";
        diags_
            .warning(Warning::LogicalNotParentheses, negation->op_range,
                     "logical not is only applied to the left hand side of this ", what)
            .highlight(negation->range)
            .highlight(e.rhs->range)
            .note(negation->op_range, "add parentheses after the '!' to evaluate the ", what, " first")
            .note(negation->op_range,
                  "add parentheses around left hand side expression to silence this warning");
    }
}

/// In `a + (b < c) ? 1 : 2`, what looks like the condition is only an operand of it.
void Checker::warn_conditional_precedence(const BinaryExpr& condition, SourceRange question) {
    bool arithmetic = condition.op <= BinaryOp::Shr || is_bitwise(&condition);
    const Expr* right = condition.rhs;
    while (auto* cast = dyn<CastExpr>(right)) {
        if (cast->written) return;
        right = cast->operand;
    }
    if (!arithmetic || !is_boolean(right)) return;
    Warning group = is_bitwise(&condition) ? Warning::BitwiseConditionalParentheses : Warning::Parentheses;
    diags_
        .warning(group, question, "operator '?:' has lower precedence than '", spelling(condition.op), "'; '",
                 spelling(condition.op), "' will be evaluated first")
        .highlight(condition.range)
        .note(question, "place parentheses around the '", spelling(condition.op),
              "' expression to silence this warning")
        .note(question, "place parentheses around the '?:' expression to evaluate it first");
}

/// `n =- 1;`: the operators are adjacent, and a space precedes the operand.
void Checker::warn_reversed_compound(const AssignExpr& e) {
    auto* sign = dyn<UnaryExpr>(e.rhs);
    if (!sign || (sign->op != UnaryOp::Plus && sign->op != UnaryOp::Minus)) return;
    const SourceManager* sources = diags_.sources();
    if (sources && (sources->is_macro(e.op_range.begin) || sources->is_macro(sign->range.begin))) return;
    uint32_t at = e.op_range.begin.offset;
    if (sign->range.begin.offset != at + 1 || sign->operand->range.begin.offset == at + 2) return;
    diags_.warning(Warning::CompoundAssignTypo, e.op_range,
                   "use of unary operator that may be intended as compound assignment (",
                   sign->op == UnaryOp::Plus ? "+=" : "-=", ")");
}

}  // namespace caldera::frontend
