// SPDX-License-Identifier: Apache-2.0
#include "frontend/lint/lint.h"

#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {
/// The bits that __builtin_astype and __builtin_nan take are no number that is converted.
bool is_implicit(const CastExpr* cast) { return cast && !cast->written && cast->cast != CastKind::BitCast; }
}  // namespace

const Expr& below_conversions(const Expr& e) {
    const Expr* inner = strip_parens(&e);
    for (auto* cast = dyn<CastExpr>(inner); is_implicit(cast); cast = dyn<CastExpr>(inner))
        inner = strip_parens(cast->operand);
    return *inner;
}

bool is_boolean_value(const Expr& e, int depth) {
    if (depth > kMaxLook) return false;
    const Expr* inner = strip_parens(&e);
    if (inner->type->kind == TypeKind::Bool) return true;
    if (!inner->type->is_integer()) return false;
    if (auto* unary = dyn<UnaryExpr>(inner)) return unary->op == UnaryOp::LogicalNot;
    auto* binary = dyn<BinaryExpr>(inner);
    if (!binary) return false;
    if (binary->op == BinaryOp::And || binary->op == BinaryOp::Or || binary->op == BinaryOp::Xor)
        return is_boolean_value(below_conversions(*binary->lhs), depth + 1) &&
               is_boolean_value(below_conversions(*binary->rhs), depth + 1);
    return is_comparison(binary->op) || binary->op == BinaryOp::LogicalAnd ||
           binary->op == BinaryOp::LogicalOr;
}

const VarDecl* named_variable(const Expr& e) {
    auto* ref = dyn<DeclRefExpr>(&below_conversions(e));
    return ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
}

const IntLiteralExpr* int_literal(const Expr& e) {
    auto* literal = dyn<IntLiteralExpr>(strip_parens(&e));
    return literal && !literal->text.empty() ? literal : nullptr;
}

std::string_view spelling(BinaryOp op) {
    static constexpr std::string_view kSpellings[] = {"*",  "/",  "%",  "+", "-", "<<", ">>", "<",  ">", "<=",
                                                      ">=", "==", "!=", "&", "^", "|",  "&&", "||", ","};
    return kSpellings[static_cast<size_t>(op)];
}

/// Visits each node below a full expression, with a stack, because trees lean far to the left.
void Linter::whole(const Expr& root) {
    if (!root.type || root.type->is_error()) return;
    struct Item {
        const Expr* e;
        SourceRange context;    // of the operator that takes the value
        bool under_conversion;  // its conversion was looked at from above
    };
    in_for_part_ = for_parts_.contains(&root);
    unread_.clear();
    std::vector<Item> work = {{&root, root.range, false}};
    while (!work.empty()) {
        const Expr* e = work.back().e;
        SourceRange context = work.back().context;
        const bool under = work.back().under_conversion;
        work.pop_back();
        if (!e->type || e->type->is_error()) continue;
        auto* cast = dyn<CastExpr>(e);
        bool implicit = is_implicit(cast);
        bool chooses = e->kind == ExprKind::Conditional;
        if ((implicit || chooses) && !under) conversion(*e, context);
        if (implicit && cast->cast == CastKind::ToBool) pointer_as_bool(*cast->operand);
        note_unread(*e);
        if (!implicit && e->kind != ExprKind::Paren) {
            node(*e);
            context = expr_place(*e);
        }
        if (auto* block = dyn<StmtExprExpr>(e)) statements(*block->body);
        if (auto* block = dyn<BlockLiteralExpr>(e); block && block->body) statements(*block->body);
        // The operand of an explicit cast is converted intentionally.
        bool covered = implicit || cast || (e->kind == ExprKind::Paren && under);
        const Expr* count = nullptr;  // of a shift: its type says nothing
        if (auto* shift = dyn<BinaryExpr>(e);
            shift && (shift->op == BinaryOp::Shl || shift->op == BinaryOp::Shr))
            count = shift->rhs;
        if (auto* shift = dyn<AssignExpr>(e);
            shift && shift->compound && (shift->op == BinaryOp::Shl || shift->op == BinaryOp::Shr))
            count = shift->rhs;
        const Expr* condition = chooses ? as<ConditionalExpr>(*e).condition : nullptr;
        for_each_operand(*e, [&](const Expr& operand) {
            bool looked_at = covered || &operand == count || (chooses && &operand != condition);
            work.push_back({&operand, context, looked_at});
        });
    }
    sequence(root);
}

/// Naming an object whose address is taken, or only a part of which is used, does not read the object.
void Linter::note_unread(const Expr& e) {
    const Expr* object = nullptr;
    if (auto* unary = dyn<UnaryExpr>(&e); unary && unary->op == UnaryOp::AddressOf) object = unary->operand;
    if (auto* member = dyn<MemberExpr>(&e)) object = member->base;
    if (auto* cast = dyn<CastExpr>(&e); cast && cast->cast == CastKind::ArrayToPointer)
        object = cast->operand;
    if (object) unread_.insert(strip_parens(object));
}

void Linter::node(const Expr& e) {
    switch (e.kind) {
        case ExprKind::Binary: return binary(as<BinaryExpr>(e));
        case ExprKind::Assign: return assignment(as<AssignExpr>(e));
        case ExprKind::Unary: return unary(as<UnaryExpr>(e));
        case ExprKind::Cast: return written_cast(as<CastExpr>(e));
        case ExprKind::Conditional: return pointer_as_bool(*as<ConditionalExpr>(e).condition);
        case ExprKind::Subscript: return subscript(as<SubscriptExpr>(e));
        case ExprKind::SizeofExpr: return size_of(as<SizeofExprExpr>(e));
        default: return;
    }
}

void Linter::statements(const Stmt& root) {
    std::vector<const Stmt*> work = {&root};
    while (!work.empty()) {
        const Stmt* stmt = work.back();
        work.pop_back();
        if (auto* decls = dyn<DeclStmt>(stmt)) {
            for (const Decl* decl : decls->decls)
                if (auto* var = dyn<VarDecl>(decl)) variable(*var);
            continue;
        }
        if (auto* choice = dyn<IfStmt>(stmt)) {
            always_true_or(*choice->condition);
            pointer_as_bool(*choice->condition);
        }
        if (auto* loop = dyn<WhileStmt>(stmt)) pointer_as_bool(*loop->condition);
        if (auto* loop = dyn<DoStmt>(stmt)) pointer_as_bool(*loop->condition);
        if (auto* loop = dyn<ForStmt>(stmt)) {
            if (loop->condition) pointer_as_bool(*loop->condition);
            if (!in_faulty_) for_loop(*loop);
            if (auto* init = dyn<ExprStmt>(static_cast<const Stmt*>(loop->init)))
                for_parts_.insert(init->expr);
            if (loop->step) for_parts_.insert(loop->step);
        }
        if (auto* result = dyn<ReturnStmt>(stmt)) returned(*result);
        for_each_part(
            *stmt, [&](const Expr& e) { whole(e); }, [&](const Stmt& inner) { work.push_back(&inner); });
    }
}

void Linter::variable(const VarDecl& var) {
    if (var.init) whole(*var.init);
}

void Linter::function(const FunctionDecl& function) {
    for_parts_.clear();
    in_faulty_ = function.body->is_faulty;
    statements(*function.body);
    if (!function.body->is_faulty) set_but_not_used(function);
    if (!diags_.has_faults()) flow(function);
}

void lint(const Decl& decl, const CompileOptions& options, Arena& arena, Diagnostics& diags) {
    if (options.warnings.no_warnings) return;
    Arena::Body inside(arena);
    Linter linter(arena, diags);
    if (auto* function = dyn<FunctionDecl>(&decl); function && function->body) linter.function(*function);
    if (auto* var = dyn<VarDecl>(&decl)) linter.variable(*var);
}

}  // namespace caldera::frontend
