// SPDX-License-Identifier: Apache-2.0
// Variables that are set and never read (-Wunused-but-set-variable, -Wunused-but-set-parameter): every
// mention of them is the left side of an assignment, or what ++ or -- changes, whose value nobody takes.
#include <unordered_map>

#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

bool is_unused_on_purpose(const VarDecl& var) {
    for (std::span<Attribute> list : {var.specifiers->attributes, var.declarator.attributes})
        for (const Attribute& attribute : list)
            if (attribute.name == "unused") return true;
    return false;
}

class Mentions {
 public:
    /// Mentions less those that only set the variable; absent when it is not mentioned.
    std::unordered_map<const VarDecl*, int> counts = {};
    std::vector<const VarDecl*> locals = {};

    void statements(const Stmt& root) {
        std::vector<const Stmt*> work = {&root};
        while (!work.empty()) {
            const Stmt* stmt = work.back();
            work.pop_back();
            if (auto* decls = dyn<DeclStmt>(stmt))
                for (const Decl* decl : decls->decls)
                    if (auto* var = dyn<VarDecl>(decl)) {
                        locals.push_back(var);
                        if (var->init) expression(*var->init);
                    }
            if (auto* loop = dyn<ForStmt>(stmt); loop && loop->step) discarded(*loop->step);
            if (auto* whole = dyn<ExprStmt>(stmt)) discarded(*whole->expr);
            for_each_part(
                *stmt, [&](const Expr& e) { expression(e); },
                [&](const Stmt& inner) { work.push_back(&inner); });
        }
    }

 private:
    void expression(const Expr& root) {
        std::vector<const Expr*> work = {&root};
        while (!work.empty()) {
            const Expr* e = work.back();
            work.pop_back();
            if (auto* ref = dyn<DeclRefExpr>(e))
                if (auto* var = dyn<VarDecl>(static_cast<const Decl*>(ref->decl))) ++counts[var];
            if (auto* size = dyn<SizeofExprExpr>(e)) work.push_back(size->operand);
            if (auto* block = dyn<StmtExprExpr>(e)) statements(*block->body);
            if (auto* block = dyn<BlockLiteralExpr>(e)) statements(*block->body);
            for_each_operand(*e, [&](const Expr& operand) { work.push_back(&operand); });
        }
    }

    void discarded(const Expr& e) {
        const Expr* target = nullptr;
        bool reads = false;
        if (auto* assign = dyn<AssignExpr>(&e)) target = assign->lhs, reads = assign->compound;
        if (auto* unary = dyn<UnaryExpr>(&e);
            unary && unary->op >= UnaryOp::PreInc && unary->op <= UnaryOp::PostDec)
            target = unary->operand, reads = true;
        auto* ref = target ? dyn<DeclRefExpr>(target) : nullptr;
        auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
        if (var && !(reads && var->type.is_volatile)) --counts[var];
    }
};

}  // namespace

void Linter::set_but_not_used(const FunctionDecl& function) {
    if (!diags_.enabled(Warning::UnusedButSetVariable) && !diags_.enabled(Warning::UnusedButSetParameter))
        return;
    Mentions mentions;
    mentions.statements(*function.body);
    auto check = [&](const VarDecl* var, Warning group, std::string_view what) {
        auto found = mentions.counts.find(var);
        if (found == mentions.counts.end() || found->second != 0 || is_unused_on_purpose(*var)) return;
        diags_.warning(group, var->name_range, what, " '", var->name, "' set but not used");
    };
    for (const VarDecl* param : function.params) check(param, Warning::UnusedButSetParameter, "parameter");
    for (const VarDecl* var : mentions.locals)
        if (!var->is_file_scope && var->storage != StorageClass::Extern)
            check(var, Warning::UnusedButSetVariable, "variable");
}

}  // namespace caldera::frontend
