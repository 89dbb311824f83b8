// SPDX-License-Identifier: Apache-2.0
// Warnings about statements: conditions, switches, bodies that are empty or stand beside their statement.
#include <algorithm>

#include "frontend/ast/operators.h"
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

void Checker::warn_condition(const Expr& e) {
    auto* assign = dyn<AssignExpr>(&e);
    if (!assign || assign->compound) return;
    diags_
        .warning(Warning::Parentheses, assign->op_range,
                 "using the result of an assignment as a condition without parentheses")
        .highlight(e.range)
        .note(assign->op_range, "place parentheses around the assignment to silence this warning")
        .note(assign->op_range, "use '==' to turn this assignment into an equality comparison");
}

/// `if ((a == b))`: doubled parentheses usually mean that an assignment is intended.
void Checker::warn_extra_parentheses(const Expr& e) {
    auto* paren = dyn<ParenExpr>(&e);
    auto* equality = paren ? dyn<BinaryExpr>(strip_parens(paren->inner)) : nullptr;
    if (!equality || equality->op != BinaryOp::Equal) return;
    const Expr* left = strip_parens(equality->lhs);
    while (auto* cast = dyn<CastExpr>(left)) {
        if (cast->written) return;
        left = strip_parens(cast->operand);
    }
    const SourceManager* sources = diags_.sources();
    if (!left->is_lvalue || left->type.is_const || left->type.space == AddressSpace::Constant) return;
    if (sources && sources->is_macro(e.range.begin)) return;
    SourceLoc last = {e.range.end.offset - 1};
    diags_
        .warning(Warning::ParenthesesEquality, equality->op_range,
                 "equality comparison with extraneous parentheses")
        .highlight(equality->lhs->range)
        .highlight(equality->rhs->range)
        .fixit({e.range.begin, {e.range.begin.offset + 1}}, "")
        .fixit({last, e.range.end}, "")
        .note(equality->op_range,
              "remove extraneous parentheses around the comparison to silence this warning")
        .note(equality->op_range, "use '=' to turn this equality comparison into an assignment");
}

void Checker::warn_empty_body(const Stmt* body) {
    if (!body || body->kind != StmtKind::Null || body->starts_line) return;
    diags_.warning(Warning::EmptyBody, body->range, "if statement has empty body")
        .note(body->range, "put the semicolon on a separate line to silence this warning");
}

/// Warns about a loop whose body is a semicolon on the same line if the next statement looks like the
/// intended body: a block, or a statement on the same line.
void Checker::warn_empty_loop(const Stmt& stmt, const Stmt* next) {
    if (!next || (next->kind != StmtKind::Compound && next->starts_line)) return;
    auto* while_loop = dyn<WhileStmt>(&stmt);
    auto* for_loop = dyn<ForStmt>(&stmt);
    const Stmt* body = while_loop ? while_loop->body : for_loop ? for_loop->body : nullptr;
    if (!body || body->kind != StmtKind::Null || body->starts_line) return;
    diags_.warning(Warning::EmptyBody, body->range, while_loop ? "while" : "for", " loop has empty body")
        .note(body->range, "put the semicolon on a separate line to silence this warning");
}

/// clang's -Wswitch: a switch over an enumeration without default. The labels are sorted, with flipped sign
/// bits.
void Checker::warn_missing_enumerators(const SwitchStmt& stmt, const EnumDecl& enumeration) {
    const Type* type = stmt.condition->type.type;
    uint64_t mask = type->size_bytes == 8 ? ~uint64_t{0} : 0xffffffff;
    std::vector<const EnumConstantDecl*> missing;
    std::unordered_set<int64_t> missing_values;
    for (const EnumConstantDecl* constant : enumeration.constants) {
        uint64_t value = order_key(static_cast<uint64_t>(constant->value) & mask, *type);
        auto after = std::upper_bound(switch_->labels.begin(), switch_->labels.end(), value,
                                      [](uint64_t v, const auto& label) { return v < label.first; });
        bool handled = after != switch_->labels.begin() && value <= std::prev(after)->last;
        if (!handled && missing_values.insert(constant->value).second) missing.push_back(constant);
    }
    if (missing.empty()) return;
    std::ranges::stable_sort(missing, {}, &EnumConstantDecl::value);
    auto quoted = [&](size_t i) { return "'" + std::string(missing[i]->name) + "'"; };
    std::string text =
        missing.size() == 1 ? "enumeration value " + quoted(0) : "enumeration values " + quoted(0);
    if (missing.size() == 2) text += " and " + quoted(1);
    if (missing.size() == 3) text += ", " + quoted(1) + ", and " + quoted(2);
    if (missing.size() > 3)
        text = std::to_string(missing.size()) + " enumeration values not handled in switch: " + quoted(0) +
               ", " + quoted(1) + ", " + quoted(2) + "...";
    else
        text += " not handled in switch";
    diags_.warning(Warning::SwitchEnum, expr_place(*stmt.condition), text);
}

/// A case label that the switch's value can never have, given its type before promotion.
void Checker::warn_case_overflow(const Expr& label) {
    const Type *from = label.type.type, *to = switch_->written_type;
    if (!to || to->kind == TypeKind::Bool || to->size_bytes >= from->size_bytes) return;
    auto number = [](uint64_t bits, const Type* type) {
        unsigned shift = 64 - 8 * static_cast<unsigned>(type->size_bytes);
        return type->is_signed() ? static_cast<int64_t>(bits << shift) >> shift
                                 : static_cast<int64_t>(bits << shift >> shift);
    };
    uint64_t bits = *evaluate_integer(label);
    int64_t before = number(bits, from), after = number(bits, to);
    if (before != after)
        diags_.warning(Warning::SwitchEnum, expr_place(label),
                       "overflow converting case value to switch condition type (", before, " to ", after,
                       ")");
}

/// The parts of -Wswitch that need the whole statement.
void Checker::warn_switch(const SwitchStmt& stmt, const EnumDecl* enumeration) {
    SourceRange keyword = {stmt.range.begin, {stmt.range.begin.offset + 6}};
    const Expr* written = strip_parens(stmt.condition);
    if (auto* promotion = dyn<CastExpr>(written); promotion && !promotion->written)
        written = strip_parens(promotion->operand);
    auto* comparison = dyn<BinaryExpr>(written);
    auto* negation = dyn<UnaryExpr>(written);
    bool boolean = (comparison && comparison->op >= BinaryOp::Less && comparison->op <= BinaryOp::LogicalOr &&
                    comparison->op != BinaryOp::And && comparison->op != BinaryOp::Or &&
                    comparison->op != BinaryOp::Xor) ||
                   (negation && negation->op == UnaryOp::LogicalNot);
    if (boolean || (switch_->written_type && switch_->written_type->kind == TypeKind::Bool))
        diags_.warning(Warning::SwitchBool, keyword, "switch condition has boolean value")
            .highlight(stmt.condition->range);
    if (stmt.body->kind == StmtKind::Null && !stmt.body->starts_line)
        diags_.warning(Warning::EmptyBody, stmt.body->range, "switch statement has empty body")
            .note(stmt.body->range, "put the semicolon on a separate line to silence this warning");
    if (!switch_->type) return;
    auto holds = [&](const SwitchContext::Label& label, uint64_t value) {
        const uint64_t key = order_key(value, *switch_->type);
        return label.first <= key && key <= label.last;
    };
    auto known = is_error(stmt.condition) ? std::nullopt : evaluate_integer(*stmt.condition);
    if (known && !stmt.has_default &&
        std::none_of(switch_->labels.begin(), switch_->labels.end(),
                     [&](const auto& label) { return holds(label, *known); }))
        diags_.warning(Warning::UnmatchedSwitch, expr_place(*stmt.condition),
                       "no case matching constant switch condition '", decimal(*known, *switch_->type), "'");
    if (!enumeration) return;
    for (const SwitchContext::Label& label : switch_->labels) {
        if (label.stmt->last_expr) continue;
        if (std::none_of(
                enumeration->constants.begin(), enumeration->constants.end(),
                [&](const auto* constant) { return holds(label, static_cast<uint64_t>(constant->value)); }))
            diags_.warning(Warning::SwitchEnum, expr_place(*label.stmt->first_expr),
                           "case value not in enumerated type '", enumeration->enum_type, "'");
    }
    bool complete =
        std::all_of(enumeration->constants.begin(), enumeration->constants.end(), [&](const auto* c) {
            return std::any_of(switch_->labels.begin(), switch_->labels.end(), [&](const auto& label) {
                return holds(label, static_cast<uint64_t>(c->value));
            });
        });
    if (complete && stmt.has_default)
        diags_.warning(Warning::CoveredSwitchDefault, switch_->default_stmt->range,
                       "default label in switch which covers all enumeration values");
}

/// A statement that is indented like the body before it but is not part of it.
void Checker::warn_indentation(const Stmt& stmt, const Stmt* next) {
    if (!next || next->kind == StmtKind::Null || next->kind == StmtKind::Label || !next->starts_line) return;
    const SourceManager* sources = diags_.sources();
    if (!sources || !diags_.enabled(Warning::MisleadingIndentation)) return;
    const Stmt* body = nullptr;
    SourceRange keyword = stmt.range;
    std::string_view word;
    if (auto* loop = dyn<WhileStmt>(&stmt)) body = loop->body, word = "while";
    if (auto* loop = dyn<ForStmt>(&stmt)) body = loop->body, word = "for";
    if (auto* choice = dyn<IfStmt>(&stmt)) {
        while (auto* chained = dyn<IfStmt>(choice->otherwise)) {
            keyword = choice->else_range;
            choice = chained;
        }
        bool has_else = choice->otherwise != nullptr;
        body = has_else ? choice->otherwise : choice->then;
        if (has_else) keyword = choice->else_range;
        word = has_else ? "else" : "if";
    }
    if (!body || body->kind == StmtKind::Compound || !body->starts_line) return;
    if (sources->is_macro(next->range.begin) || sources->is_macro(body->range.begin)) return;
    auto indentation =
        [&](SourceRange range) {  // columns of the space before it; -1 when there is more than space
            PresumedLoc place = sources->presumed(range.begin);
            int columns = 0;
            for (char c : place.line_text.substr(0, place.column - 1)) {
                if (c != ' ' && c != '\t') return -1;
                columns = c == '\t' ? columns / 8 * 8 + 8 : columns + 1;
            }
            return columns;
        };
    int outer = indentation(keyword), inner = indentation(body->range), after = indentation(next->range);
    if (outer < 0 || inner <= outer || inner != after) return;
    diags_
        .warning(Warning::MisleadingIndentation, next->range,
                 "misleading indentation; statement is not part of the previous '", word, "'")
        .note(keyword, "previous statement is here");
}

}  // namespace caldera::frontend
