// SPDX-License-Identifier: Apache-2.0
// Side effects on one variable that nothing orders (C99 6.5p2): `i = i++`, `a[i] = i++`. Each subexpression
// is summed up by what it does to the variables that the whole expression changes; operands that are
// evaluated in no order must not both touch one of them if either changes it.
#include <algorithm>

#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

const VarDecl* changed_variable(const Expr& e) {
    const Expr* target = nullptr;
    if (auto* assign = dyn<AssignExpr>(&e)) target = assign->lhs;
    if (auto* unary = dyn<UnaryExpr>(&e);
        unary && unary->op >= UnaryOp::PreInc && unary->op <= UnaryOp::PostDec)
        target = unary->operand;
    auto* ref = target ? dyn<DeclRefExpr>(strip_parens(target)) : nullptr;
    return ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
}

/// The effects of an expression on one variable.
struct Effect {
    const VarDecl* var = nullptr;
    SourceRange change = {};  // where it is changed, if it is
    SourceRange read = {};
    bool pending = false;  // the change is not ordered before the value of the expression
};
using Effects = std::vector<Effect>;

class Sequencer {
 public:
    Sequencer(std::vector<const VarDecl*> vars, Diagnostics& diags) : vars_(std::move(vars)), diags_(diags) {}

    Effects visit(const Expr& e) {
        std::vector<const BinaryExpr*> chain;  // long chains lean left
        const Expr* inner = &e;
        for (;;) {
            if (auto* paren = dyn<ParenExpr>(inner))
                inner = paren->inner;
            else if (auto* binary = dyn<BinaryExpr>(inner))
                chain.push_back(binary), inner = binary->lhs;
            else
                break;
        }
        Effects effects = leaf(*inner);
        for (size_t i = chain.size(); i-- > 0;) {
            const BinaryExpr& binary = *chain[i];
            bool ordered = binary.op == BinaryOp::Comma ||
                           (!binary.type->is_vector() &&
                            (binary.op == BinaryOp::LogicalAnd || binary.op == BinaryOp::LogicalOr));
            if (ordered) settle(effects);
            effects = join(std::move(effects), visit(*binary.rhs), ordered);
        }
        return effects;
    }

 private:
    Effects leaf(const Expr& e);

    static void settle(Effects& effects) {
        for (Effect& effect : effects) effect.pending = false;
    }

    static Effect* find(Effects& effects, const VarDecl* var) {
        for (Effect& effect : effects)
            if (effect.var == var) return &effect;
        return nullptr;
    }

    Effects join(Effects a, Effects b, bool ordered) {
        for (Effect& second : b) {
            Effect* first = find(a, second.var);
            if (!first) {
                a.push_back(second);
                continue;
            }
            if (!ordered) {
                if (first->change && second.change)
                    report(first->var, first->change, second.change, true);
                else if (first->change && second.read)
                    report(first->var, first->change, second.read, false);
                else if (second.change && first->read)
                    report(first->var, second.change, first->read, false);
            }
            if (!first->change) first->change = second.change;
            if (!first->read) first->read = second.read;
            first->pending |= second.pending;
        }
        return a;
    }

    void report(const VarDecl* var, SourceRange change, SourceRange other, bool both_change) {
        auto known = std::find(vars_.begin(), vars_.end(), var);
        if (known == vars_.end()) return;
        *known = nullptr;  // one report for each variable
        diags_
            .warning(Warning::Unsequenced, change,
                     both_change ? "multiple unsequenced modifications to '"
                                 : "unsequenced modification and access to '",
                     var->name, "'")
            .highlight(other);
    }

    /// The side effect of an assignment or ++ itself. It is ordered after the values of its operands, but not
    /// after their side effects.
    void change(Effects& effects, const VarDecl* var, SourceRange at, bool reads) {
        if (!var || std::find(vars_.begin(), vars_.end(), var) == vars_.end()) return;
        Effect* inner = find(effects, var);
        if (!inner) {
            effects.push_back({.var = var, .change = at, .pending = true});
            return;
        }
        if (inner->change && reads)
            report(var, inner->change, at, false);
        else if (inner->change && inner->pending)
            report(var, inner->change, at, true);
        inner->change = at;
        inner->pending = true;
    }

    std::vector<const VarDecl*> vars_;
    Diagnostics& diags_;
};

Effects Sequencer::leaf(const Expr& e) {
    Effects effects;
    const VarDecl* changed = changed_variable(e);
    switch (e.kind) {
        case ExprKind::DeclRef: {
            auto* var = dyn<VarDecl>(static_cast<const Decl*>(as<DeclRefExpr>(e).decl));
            if (var && std::find(vars_.begin(), vars_.end(), var) != vars_.end())
                effects.push_back({.var = var, .read = e.range});
            return effects;
        }
        case ExprKind::Assign: {
            auto& assign = as<AssignExpr>(e);
            effects = changed ? visit(*assign.rhs) : join(visit(*assign.lhs), visit(*assign.rhs), false);
            change(effects, changed, assign.op_range, assign.compound);
            return effects;
        }
        case ExprKind::Unary:
            if (!changed) return visit(*as<UnaryExpr>(e).operand);
            change(effects, changed, as<UnaryExpr>(e).op_range ? as<UnaryExpr>(e).op_range : e.range, false);
            return effects;
        case ExprKind::Conditional: {
            auto& choice = as<ConditionalExpr>(e);
            effects = visit(*choice.condition);
            if (choice.condition->type->is_vector()) {
                if (choice.if_true) effects = join(std::move(effects), visit(*choice.if_true), false);
                return join(std::move(effects), visit(*choice.if_false), false);
            }
            settle(effects);
            if (choice.if_true) effects = join(std::move(effects), visit(*choice.if_true), true);
            return join(std::move(effects), visit(*choice.if_false), true);
        }
        case ExprKind::StmtExpr: return effects;
        default:
            for_each_operand(
                e, [&](const Expr& operand) { effects = join(std::move(effects), visit(operand), false); });
            if (e.kind == ExprKind::Call) settle(effects);  // all arguments come before the call
            return effects;
    }
}

}  // namespace

void Linter::sequence(const Expr& root) {
    if (!diags_.enabled(Warning::Unsequenced)) return;
    std::vector<const VarDecl*> vars;
    std::vector<const Expr*> work = {&root};
    while (!work.empty()) {
        const Expr* e = work.back();
        work.pop_back();
        if (!e->type || e->type->is_error()) return;
        const VarDecl* var = changed_variable(*e);
        if (var && std::find(vars.begin(), vars.end(), var) == vars.end()) vars.push_back(var);
        for_each_operand(*e, [&](const Expr& operand) { work.push_back(&operand); });
    }
    if (!vars.empty()) Sequencer(std::move(vars), diags_).visit(root);
}

}  // namespace caldera::frontend
