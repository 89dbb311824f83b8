// SPDX-License-Identifier: Apache-2.0
// -Wfor-loop-analysis: conditions on variables that the loop never changes, and steps that are made twice.
#include <algorithm>
#include <functional>

#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

/// The variables of a condition that consists only of variables, constants and operators; false for any other
/// condition.
bool collect(const Expr& root, std::vector<const DeclRefExpr*>& refs) {
    std::vector<const Expr*> work = {&root};
    while (!work.empty()) {
        const Expr* e = work.back();
        work.pop_back();
        switch (e->kind) {
            case ExprKind::DeclRef: {
                auto* ref = &as<DeclRefExpr>(*e);
                auto* var = dyn<VarDecl>(static_cast<const Decl*>(ref->decl));
                if (!var) break;  // an enumerator
                if (var->has_global_lifetime || var->type.is_volatile) return false;
                refs.push_back(ref);
                break;
            }
            case ExprKind::Cast:
            case ExprKind::Paren:
            case ExprKind::Unary:
            case ExprKind::Binary:
            case ExprKind::Conditional:
            case ExprKind::IntLiteral:
            case ExprKind::FloatLiteral:
            case ExprKind::CharLiteral: break;
            default: return false;
        }
        size_t first = work.size();
        for_each_operand(*e, [&](const Expr& operand) { work.push_back(&operand); });
        std::reverse(work.begin() + static_cast<std::ptrdiff_t>(first), work.end());
    }
    return true;
}

/// Whether one of the variables is used in any way other than reading it.
class Changes {
 public:
    explicit Changes(const std::vector<const VarDecl*>& vars) : vars_(vars) {}
    bool in(const Expr* root) {
        if (!root) return false;
        std::vector<const Expr*> work = {root};
        while (!work.empty()) {
            const Expr* e = work.back();
            work.pop_back();
            if (auto* read = dyn<CastExpr>(e); read && read->cast == CastKind::LValueToRValue &&
                                               strip_parens(read->operand)->kind == ExprKind::DeclRef)
                continue;
            if (auto* ref = dyn<DeclRefExpr>(e))
                if (std::find(vars_.begin(), vars_.end(), ref->decl) != vars_.end()) return true;
            if (auto* block = dyn<StmtExprExpr>(e); block && in(static_cast<const Stmt*>(block->body)))
                return true;
            for_each_operand(*e, [&](const Expr& operand) { work.push_back(&operand); });
        }
        return false;
    }
    bool in(const Stmt* root) {
        std::vector<const Stmt*> work = {root};
        bool found = false;
        while (!work.empty() && !found) {
            const Stmt* stmt = work.back();
            work.pop_back();
            if (auto* decls = dyn<DeclStmt>(stmt))
                for (const Decl* decl : decls->decls)
                    if (auto* var = dyn<VarDecl>(decl)) found |= in(var->init);
            for_each_part(
                *stmt, [&](const Expr& e) { found = found || in(&e); },
                [&](const Stmt& inner) { work.push_back(&inner); });
        }
        return found;
    }

 private:
    const std::vector<const VarDecl*>& vars_;
};

bool leaves_or_continues(const Stmt& root) {
    std::vector<const Stmt*> work = {&root};
    while (!work.empty()) {
        const Stmt* stmt = work.back();
        work.pop_back();
        if (stmt->kind == StmtKind::Break || stmt->kind == StmtKind::Continue) return true;
        for_each_part(
            *stmt, [](const Expr&) {}, [&](const Stmt& inner) { work.push_back(&inner); });
    }
    return false;
}

/// `i++` or `--i` of a plain variable.
const DeclRefExpr* step_of(const Expr* e, bool& up) {
    auto* unary = e ? dyn<UnaryExpr>(strip_parens(e)) : nullptr;
    if (!unary || unary->op < UnaryOp::PreInc || unary->op > UnaryOp::PostDec) return nullptr;
    up = unary->op == UnaryOp::PreInc || unary->op == UnaryOp::PostInc;
    return dyn<DeclRefExpr>(strip_parens(unary->operand));
}

}  // namespace

void Linter::for_loop(const ForStmt& loop) {
    if (!diags_.enabled(Warning::ForLoopAnalysis)) return;
    bool up = false, body_up = false;
    if (const DeclRefExpr* header = step_of(loop.step, up)) {
        const Stmt* last = loop.body;
        if (auto* block = dyn<CompoundStmt>(last)) last = block->body.empty() ? nullptr : block->body.back();
        auto* whole = dyn<ExprStmt>(last);
        const DeclRefExpr* body = whole ? step_of(whole->expr, body_up) : nullptr;
        if (body && body->decl == header->decl && up == body_up && !leaves_or_continues(*loop.body))
            diags_
                .warning(Warning::ForLoopAnalysis, body->range, "variable '", header->name, "' is ",
                         up ? "incremented" : "decremented", " both in the loop header and in the loop body")
                .note(header->range, up ? "incremented" : "decremented", " here");
    }
    std::vector<const DeclRefExpr*> refs;
    if (!loop.condition || !loop.condition->type || !collect(*loop.condition, refs) || refs.empty()) return;
    std::vector<const VarDecl*> vars;
    for (const DeclRefExpr* ref : refs)
        if (std::find(vars.begin(), vars.end(), ref->decl) == vars.end())
            vars.push_back(&as<VarDecl>(*static_cast<const Decl*>(ref->decl)));
    Changes changes(vars);
    if (changes.in(loop.condition) || changes.in(loop.step) || changes.in(loop.body)) return;
    std::string names;
    for (size_t i = 0; i < vars.size() && vars.size() <= 4; ++i) {
        if (i) names += vars.size() == 2 ? " and" : i + 1 == vars.size() ? ", and" : ",";
        names += " '" + std::string(vars[i]->name) + "'";
    }
    auto handle =
        diags_.warning(Warning::ForLoopAnalysis, refs[0]->range, vars.size() == 1 ? "variable" : "variables",
                       names, " used in loop condition not modified in loop body");
    for (const DeclRefExpr* ref : refs) handle.highlight(ref->range);
}

}  // namespace caldera::frontend
