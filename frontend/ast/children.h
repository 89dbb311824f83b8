// SPDX-License-Identifier: Apache-2.0
// The parts of a node of the checked tree, for walks that treat most kinds alike.
#pragma once

#include "frontend/ast/ast.h"

namespace caldera::frontend {

/// Calls `f`, in source order, for each expression that is evaluated when `e` is: not for the operand of
/// sizeof, nor for expressions inside a statement expression.
template <class F>
void for_each_operand(const Expr& e, F f) {
    auto visit = [&](const Expr* operand) {
        if (operand) f(*operand);
    };
    switch (e.kind) {
        case ExprKind::Paren: visit(as<ParenExpr>(e).inner); break;
        case ExprKind::Unary: visit(as<UnaryExpr>(e).operand); break;
        case ExprKind::Binary:
            visit(as<BinaryExpr>(e).lhs);
            visit(as<BinaryExpr>(e).rhs);
            break;
        case ExprKind::Assign:
            visit(as<AssignExpr>(e).lhs);
            visit(as<AssignExpr>(e).rhs);
            break;
        case ExprKind::Conditional:
            visit(as<ConditionalExpr>(e).condition);
            visit(as<ConditionalExpr>(e).if_true);
            visit(as<ConditionalExpr>(e).if_false);
            break;
        case ExprKind::Cast: visit(as<CastExpr>(e).operand); break;
        case ExprKind::Call:
            for (const Expr* arg : as<CallExpr>(e).args) visit(arg);
            break;
        case ExprKind::Subscript:
            visit(as<SubscriptExpr>(e).base);
            visit(as<SubscriptExpr>(e).index);
            break;
        case ExprKind::Member: visit(as<MemberExpr>(e).base); break;
        case ExprKind::Swizzle: visit(as<SwizzleExpr>(e).base); break;
        case ExprKind::VectorLiteral:
            for (const Expr* element : as<VectorLiteralExpr>(e).elements) visit(element);
            break;
        case ExprKind::CompoundLiteral: visit(as<CompoundLiteralExpr>(e).init); break;
        case ExprKind::InitList:
            visit(as<InitListExpr>(e).base);
            for (const Expr* earlier = nullptr; const Expr* init : as<InitListExpr>(e).inits)
                if (init != earlier) visit(earlier = init);  // a range's elements share one
            break;
        case ExprKind::Choose: visit(as<ChooseExpr>(e).chosen); break;
        default: break;
    }
}

/// The statement that gives a statement expression its value: the last one but for empty ones, below its
/// labels. Null if that is no expression.
inline ExprStmt* value_statement(const CompoundStmt& body) {
    for (auto at = body.body.rbegin(); at != body.body.rend(); ++at) {
        Stmt* last = *at;
        if (last->kind == StmtKind::Null) continue;
        while (auto* label = dyn<LabelStmt>(last)) last = label->body;
        return dyn<ExprStmt>(last);
    }
    return nullptr;
}

/// Calls `on_expr` for each full expression of a statement and `on_stmt` for each direct substatement, in
/// source order. The caller handles declarations.
template <class OnExpr, class OnStmt>
void for_each_part(const Stmt& stmt, OnExpr on_expr, OnStmt on_stmt) {
    auto expr = [&](const Expr* e) {
        if (e) on_expr(*e);
    };
    auto inner = [&](const Stmt* s) {
        if (s) on_stmt(*s);
    };
    switch (stmt.kind) {
        case StmtKind::Error:
        case StmtKind::Null:
        case StmtKind::Goto:
        case StmtKind::Continue:
        case StmtKind::Break:
        case StmtKind::Decl: break;
        case StmtKind::Compound:
            for (const Stmt* s : as<CompoundStmt>(stmt).body) inner(s);
            break;
        case StmtKind::Expr: expr(as<ExprStmt>(stmt).expr); break;
        case StmtKind::If:
            expr(as<IfStmt>(stmt).condition);
            inner(as<IfStmt>(stmt).then);
            inner(as<IfStmt>(stmt).otherwise);
            break;
        case StmtKind::Switch:
            expr(as<SwitchStmt>(stmt).condition);
            inner(as<SwitchStmt>(stmt).body);
            break;
        case StmtKind::Case: inner(as<CaseStmt>(stmt).body); break;
        case StmtKind::Default: inner(as<DefaultStmt>(stmt).body); break;
        case StmtKind::Label: inner(as<LabelStmt>(stmt).body); break;
        case StmtKind::While:
            expr(as<WhileStmt>(stmt).condition);
            inner(as<WhileStmt>(stmt).body);
            break;
        case StmtKind::Do:
            inner(as<DoStmt>(stmt).body);
            expr(as<DoStmt>(stmt).condition);
            break;
        case StmtKind::For:
            inner(as<ForStmt>(stmt).init);
            expr(as<ForStmt>(stmt).condition);
            expr(as<ForStmt>(stmt).step);
            inner(as<ForStmt>(stmt).body);
            break;
        case StmtKind::Return: expr(as<ReturnStmt>(stmt).value); break;
    }
}

}  // namespace caldera::frontend
