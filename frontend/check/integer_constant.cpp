// SPDX-License-Identifier: Apache-2.0
// Integer constant expressions (C99 6.6p6), told apart from what clang only folds, by clang's rules.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

/// What an expression is, the better first.
enum class Rank : uint8_t {
    Constant,
    UnlessEvaluated,  ///< an integer constant expression where it is not evaluated, as `1 / 0` and `(1, 2)`
    Never,
};

class Ranker {
 public:
    Rank rank(const Expr& e) {
        if (depth_ == kMaxDepth) return Rank::Never;
        ++depth_;
        const Rank result = spine_rank(e);
        --depth_;
        return result;
    }

 private:
    /// Walks down the left spine of operators by a loop, and ranks on the way up.
    Rank spine_rank(const Expr& e) {
        std::vector<const BinaryExpr*> spine;
        const Expr* leaf = &e;
        for (;;) {
            if (!leaf->type || leaf->type->is_error()) return Rank::Never;
            if (auto* paren = dyn<ParenExpr>(leaf)) {
                leaf = paren->inner;
            } else if (auto* binary = dyn<BinaryExpr>(leaf)) {
                spine.push_back(binary);
                leaf = binary->lhs;
            } else if (auto* cast = dyn<CastExpr>(leaf); cast && keeps_integer(*cast)) {
                leaf = cast->operand;
            } else {
                break;
            }
        }
        Rank result = leaf_rank(*leaf);
        for (size_t i = spine.size(); i-- > 0 && result != Rank::Never;)
            result = binary_rank(*spine[i], result);
        return result;
    }

    static bool keeps_integer(const CastExpr& e) {
        switch (e.cast) {
            case CastKind::LValueToRValue:
            case CastKind::NoOp: return true;
            case CastKind::Integral: return e.type->is_integer();
            case CastKind::ToBool: return e.operand->type->is_integer();
            default: return false;
        }
    }

    Rank leaf_rank(const Expr& e) {
        if (!e.type->is_integer()) return Rank::Never;
        switch (e.kind) {
            case ExprKind::IntLiteral:
            case ExprKind::CharLiteral:
            case ExprKind::SizeofType:
            case ExprKind::SizeofExpr:
            case ExprKind::Offsetof:
            case ExprKind::TypesCompatible: return Rank::Constant;
            case ExprKind::DeclRef: return variable_rank(*as<DeclRefExpr>(e).decl);
            case ExprKind::Choose: return rank(*as<ChooseExpr>(e).chosen);
            case ExprKind::Unary: {
                const auto& unary = as<UnaryExpr>(e);
                const bool folds = unary.op == UnaryOp::Plus || unary.op == UnaryOp::Minus ||
                                   unary.op == UnaryOp::Not || unary.op == UnaryOp::LogicalNot;
                return folds ? rank(*unary.operand) : Rank::Never;
            }
            case ExprKind::Conditional: return conditional_rank(as<ConditionalExpr>(e));
            case ExprKind::InitList: {
                const auto& list = as<InitListExpr>(e);
                return list.inits.size() == 1 && list.inits[0] ? rank(*list.inits[0]) : Rank::Never;
            }
            case ExprKind::Cast: return float_rank(as<CastExpr>(e));
            case ExprKind::Call: {
                const auto& call = as<CallExpr>(e);
                const bool is_gnu = call.builtin && call.builtin->name.starts_with("__builtin_");
                return is_gnu && evaluate_integer(e) ? Rank::Constant : Rank::Never;
            }
            default: return Rank::Never;
        }
    }

    /// An enumerator, or a variable that nothing changes with an integer constant expression as its value.
    Rank variable_rank(const Decl& decl) {
        if (decl.kind == DeclKind::EnumConstant) return Rank::Constant;
        const auto* var = dyn<VarDecl>(&decl);
        if (var && var->definition) var = var->definition;
        return var && var->is_integer_constant ? Rank::Constant : Rank::Never;
    }

    /// Only a cast that is written, of a floating constant itself, makes an integer constant of one.
    static Rank float_rank(const CastExpr& e) {
        if (!e.written) return Rank::Never;
        const Expr* operand = strip_parens(e.operand);
        for (auto* cast = dyn<CastExpr>(operand); cast && !cast->written; cast = dyn<CastExpr>(operand))
            operand = strip_parens(cast->operand);
        return operand->kind == ExprKind::FloatLiteral && evaluate_integer(e) ? Rank::Constant : Rank::Never;
    }

    Rank binary_rank(const BinaryExpr& e, Rank left) {
        if (!e.type->is_integer()) return Rank::Never;
        const Rank right = rank(*e.rhs), worse = std::max(left, right);
        switch (e.op) {
            case BinaryOp::Div:
            case BinaryOp::Rem: {
                if (worse == Rank::Never) return worse;
                const auto by = evaluate_as_long(*e.rhs);
                if (!by || *by == 0) return Rank::UnlessEvaluated;
                const bool overflows = *by == ~uint64_t{0} && e.type->is_signed() && !evaluate_integer(e);
                return overflows ? Rank::UnlessEvaluated : worse;
            }
            case BinaryOp::Comma: return worse == Rank::Never ? worse : Rank::UnlessEvaluated;
            case BinaryOp::LogicalAnd:
            case BinaryOp::LogicalOr: {
                if (left != Rank::Constant || right != Rank::UnlessEvaluated) return worse;
                const auto known = evaluate_integer(*e.lhs);
                const bool decides = known && (*known != 0) == (e.op == BinaryOp::LogicalOr);
                return decides ? Rank::Constant : right;
            }
            default: return worse;
        }
    }

    Rank conditional_rank(const ConditionalExpr& e) {
        const Rank condition = rank(*e.condition);
        if (condition == Rank::Never) return condition;
        const Rank if_true = e.if_true ? rank(*e.if_true) : condition, if_false = rank(*e.if_false);
        if (if_true == Rank::Never || if_false == Rank::Never) return Rank::Never;
        if (condition == Rank::UnlessEvaluated) return condition;
        const auto known = evaluate_integer(*e.condition);
        return known && *known != 0 ? if_true : if_false;
    }

    /// Limits nested operands.
    static constexpr int kMaxDepth = 1024;
    int depth_ = 0;
};

}  // namespace

std::optional<uint64_t> evaluate_strictly(const Expr& expr) {
    if (!expr.type || Ranker().rank(expr) != Rank::Constant) return std::nullopt;
    return evaluate_integer(expr);
}

std::optional<uint64_t> Checker::constant_value(const Expr& e) {
    if (const auto bits = evaluate_strictly(e)) return bits;
    const auto bits = evaluate_by_extension(e);
    if (!bits)
        diags_.error(e.range, "expression is not an integer constant expression");
    else
        diags_.warning(
            Warning::GnuFoldingConstant, e.range,
            "expression is not an integer constant expression; folding it to a constant is a GNU extension");
    return bits;
}

}  // namespace caldera::frontend
