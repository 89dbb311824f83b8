// SPDX-License-Identifier: Apache-2.0
// What the emitter wants to know of a tree before it emits it.
#include "frontend/ast/children.h"
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

namespace {

/// A walk without recursion: trees lean far to the left.
class Walk {
 public:
    explicit Walk(const Stmt& body) { push(&body, 0); }

    BodyFacts run() {
        while (!stmts_.empty() || !exprs_.empty()) {
            if (!exprs_.empty()) {
                const Expr* expr = exprs_.back();
                exprs_.pop_back();
                visit(*expr);
            } else {
                const auto [stmt, depth] = stmts_.back();
                stmts_.pop_back();
                visit(*stmt, depth);
            }
        }
        return facts_;
    }

 private:
    // `depth` is the number of statements other than blocks between a case label here and its switch.
    void push(const Stmt* stmt, uint32_t depth) {
        if (stmt) stmts_.push_back({stmt, depth});
    }
    void push(const Expr* expr) {
        if (expr) exprs_.push_back(expr);
    }
    void visit(const Stmt& stmt, uint32_t depth);
    void visit(const Expr& expr);

    BodyFacts facts_ = {};
    std::vector<std::pair<const Stmt*, uint32_t>> stmts_ = {};
    std::vector<const Expr*> exprs_ = {};
};

void Walk::visit(const Stmt& stmt, uint32_t depth) {
    switch (stmt.kind) {
        case StmtKind::Error:
        case StmtKind::Null: break;
        // Structured control flow leaves a continue construct only by its back edge (SPIR-V 2.11).
        case StmtKind::Continue: facts_.unstructured |= as<ContinueStmt>(stmt).in_step; break;
        case StmtKind::Break: facts_.unstructured |= as<BreakStmt>(stmt).in_step; break;
        case StmtKind::Goto: facts_.unstructured = true; break;
        case StmtKind::Compound:
            facts_.no_contraction |= as<CompoundStmt>(stmt).no_contraction;
            for (const Stmt* inner : as<CompoundStmt>(stmt).body) push(inner, depth);
            break;
        case StmtKind::Decl:
            for (const Decl* decl : as<DeclStmt>(stmt).decls)
                if (const auto* var = dyn<VarDecl>(decl); var && !var->has_global_lifetime) push(var->init);
            break;
        case StmtKind::Expr: push(as<ExprStmt>(stmt).expr); break;
        case StmtKind::If: {
            const auto& choice = as<IfStmt>(stmt);
            push(choice.condition);
            push(choice.then, depth + 1);
            push(choice.otherwise, depth + 1);
            break;
        }
        case StmtKind::Switch:
            push(as<SwitchStmt>(stmt).condition);
            push(as<SwitchStmt>(stmt).body, 0);
            break;
        case StmtKind::Case:
            if (depth) facts_.unstructured = true;
            push(as<CaseStmt>(stmt).body, depth);
            break;
        case StmtKind::Default:
            if (depth) facts_.unstructured = true;
            push(as<DefaultStmt>(stmt).body, depth);
            break;
        case StmtKind::Label: push(as<LabelStmt>(stmt).body, depth); break;
        case StmtKind::While:
            push(as<WhileStmt>(stmt).condition);
            push(as<WhileStmt>(stmt).body, depth + 1);
            break;
        case StmtKind::Do:
            push(as<DoStmt>(stmt).condition);
            push(as<DoStmt>(stmt).body, depth + 1);
            break;
        case StmtKind::For:
            push(as<ForStmt>(stmt).init, depth + 1);
            push(as<ForStmt>(stmt).condition);
            push(as<ForStmt>(stmt).step);
            push(as<ForStmt>(stmt).body, depth + 1);
            break;
        case StmtKind::Return: push(as<ReturnStmt>(stmt).value); break;
    }
}

void Walk::visit(const Expr& expr) {
    if (const auto* block = dyn<StmtExprExpr>(&expr)) push(block->body, 0);
    for_each_operand(expr, [&](const Expr& operand) { push(&operand); });
}

bool reads_local(const Expr& expr) {
    const Expr& inner = strip_parens(expr);
    if (const auto* swizzle = dyn<SwizzleExpr>(&inner)) return reads_local(*swizzle->base);
    const auto* ref = dyn<DeclRefExpr>(&inner);
    const auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
    return var && !var->has_global_lifetime && !var->type.is_volatile && !is_aggregate(var->type.type) &&
           (var->type->is_arithmetic_or_vector() || var->type->is_pointer());
}

bool cheap(const Expr& parenthesised, int& budget) {
    const Expr& expr = strip_parens(parenthesised);
    if (--budget < 0) return false;
    switch (expr.kind) {
        case ExprKind::IntLiteral:
        case ExprKind::FloatLiteral:
        case ExprKind::CharLiteral:
        case ExprKind::SizeofType:
        case ExprKind::SizeofExpr: return true;
        case ExprKind::DeclRef:
            return dyn<EnumConstantDecl>(static_cast<const Decl*>(as<DeclRefExpr>(expr).decl));
        case ExprKind::Unary: {
            const auto& operation = as<UnaryExpr>(expr);
            const bool pure = operation.op <= UnaryOp::LogicalNot;
            return pure && cheap(*operation.operand, budget);
        }
        case ExprKind::Binary: {
            const auto& operation = as<BinaryExpr>(expr);
            const bool divides = operation.op == BinaryOp::Div || operation.op == BinaryOp::Rem;
            return !divides && cheap(*operation.lhs, budget) && cheap(*operation.rhs, budget);
        }
        case ExprKind::Cast: {
            const auto& conversion = as<CastExpr>(expr);
            if (conversion.cast == CastKind::LValueToRValue && conversion.operand->is_lvalue)
                return reads_local(*conversion.operand);
            return conversion.cast != CastKind::ToVoid && conversion.cast != CastKind::ArrayToPointer &&
                   conversion.cast != CastKind::FunctionToPointer && cheap(*conversion.operand, budget);
        }
        case ExprKind::Swizzle: return !expr.is_lvalue && cheap(*as<SwizzleExpr>(expr).base, budget);
        default: return false;
    }
}

}  // namespace

BodyFacts examine(const Stmt& body) { return Walk(body).run(); }

bool is_cheap(const Expr& expr) {
    int budget = 12;
    return cheap(expr, budget);
}

bool is_pure(const Expr& first) {
    std::vector<const Expr*> open = {&first};
    while (!open.empty()) {
        const Expr& expr = *open.back();
        open.pop_back();
        const auto* unary = dyn<UnaryExpr>(&expr);
        if (expr.kind == ExprKind::Assign || expr.kind == ExprKind::Call || expr.kind == ExprKind::StmtExpr ||
            (unary && unary->op >= UnaryOp::PreInc && unary->op <= UnaryOp::PostDec) ||
            (expr.is_lvalue && expr.type.is_volatile))
            return false;
        for_each_operand(expr, [&](const Expr& operand) { open.push_back(&operand); });
    }
    return true;
}

bool contains_label(const Stmt& first) {
    for (const Stmt* stmt = &first; stmt;) {
        const Stmt* next = nullptr;
        switch (stmt->kind) {
            case StmtKind::Label: return true;
            case StmtKind::Case:
            case StmtKind::Default: return true;
            case StmtKind::Compound:
                for (const Stmt* inner : as<CompoundStmt>(*stmt).body)
                    if (contains_label(*inner)) return true;
                break;
            case StmtKind::If:
                if (contains_label(*as<IfStmt>(*stmt).then)) return true;
                next = as<IfStmt>(*stmt).otherwise;
                break;
            case StmtKind::Switch: next = as<SwitchStmt>(*stmt).body; break;
            case StmtKind::While: next = as<WhileStmt>(*stmt).body; break;
            case StmtKind::Do: next = as<DoStmt>(*stmt).body; break;
            case StmtKind::For: next = as<ForStmt>(*stmt).body; break;
            default: break;
        }
        stmt = next;
    }
    return false;
}

}  // namespace caldera::frontend
