// SPDX-License-Identifier: Apache-2.0
// How many bits the value of an integer expression needs. This decides whether a conversion may change it:
// the result of `i & 0x7f` fits a char whatever i is.
#include <algorithm>
#include <bit>

#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

unsigned bits_of(const Type* type) { return static_cast<unsigned>(type->size_bytes) * 8; }

IntRange range_of_value(uint64_t bits, const Type* type) {
    uint64_t value = extend_sign(bits, *type);
    if (type->is_signed() && static_cast<int64_t>(value) < 0)
        return {65 - static_cast<unsigned>(std::countl_one(value)), false};
    return {64 - static_cast<unsigned>(std::countl_zero(value)), true};
}

IntRange join(IntRange a, IntRange b) {
    bool positive = a.non_negative && b.non_negative;
    return {std::max(a.value_bits(), b.value_bits()) + !positive, positive};
}

IntRange of_and(IntRange a, IntRange b) {
    IntRange result{std::max(a.width, b.width), a.non_negative || b.non_negative};
    if (a.non_negative) result.width = std::min(result.width, a.width);
    if (b.non_negative) result.width = std::min(result.width, b.width);
    return result;
}

IntRange of_remainder(IntRange a, IntRange b) {
    return {std::min(a.value_bits(), b.value_bits()) + !a.non_negative, a.non_negative};
}

IntRange of_sum(IntRange a, IntRange b) {
    bool positive = a.non_negative && b.non_negative;
    return {std::max(a.value_bits(), b.value_bits()) + 1 + !positive, positive};
}

IntRange of_difference(IntRange a, IntRange b) {
    return {std::max(a.non_negative ? a.width : a.value_bits(), b.width) + 1, false};
}

IntRange of_product(IntRange a, IntRange b) {
    bool positive = a.non_negative && b.non_negative;
    return {a.value_bits() + b.value_bits() + (positive ? 0 : 2), positive};
}

IntRange narrowed(IntRange range, uint64_t by) {
    range.width = by >= range.width ? (range.non_negative ? 0 : 1) : range.width - static_cast<unsigned>(by);
    return range;
}

IntRange range_within(const Expr& e, unsigned most, bool typical, int depth);

IntRange range_of_binary(const BinaryExpr& e, unsigned most, bool typical, int depth) {
    const Type* type = e.type.type;
    unsigned width = bits_of(type);
    switch (e.op) {
        case BinaryOp::Less:
        case BinaryOp::Greater:
        case BinaryOp::LessEqual:
        case BinaryOp::GreaterEqual:
        case BinaryOp::Equal:
        case BinaryOp::NotEqual:
        case BinaryOp::LogicalAnd:
        case BinaryOp::LogicalOr: return {1, true};
        case BinaryOp::Comma: return range_within(*e.rhs, most, typical, depth);
        case BinaryOp::Shl: {  // `1 << n` is meant to be positive
            const IntLiteralExpr* one = int_literal(below_conversions(*e.lhs));
            if (one && one->value == 1) return {width, true};
            return range_of_type(type);
        }
        case BinaryOp::Shr: {
            IntRange left = range_within(*e.lhs, most, typical, depth);
            auto count = evaluate_integer(*e.rhs);
            return count && static_cast<int64_t>(extend_sign(*count, *e.rhs->type.type)) >= 0
                       ? narrowed(left, *count)
                       : left;
        }
        case BinaryOp::Div: {
            IntRange left = range_within(*e.lhs, width, typical, depth);
            if (auto divisor = evaluate_integer(*e.rhs); divisor && *divisor) {
                left = narrowed(left, 63 - static_cast<unsigned>(std::countl_zero(*divisor)));
                left.width = std::min(left.width, most);
                return left;
            }
            return {left.width,
                    left.non_negative && range_within(*e.rhs, width, typical, depth).non_negative};
        }
        default: break;
    }
    if (!e.lhs->type->is_integer() || !e.rhs->type->is_integer()) return range_of_type(type);
    IntRange a = range_within(*e.lhs, width, typical, depth), b = range_within(*e.rhs, width, typical, depth);
    IntRange result = join(a, b);
    if (e.op == BinaryOp::And) result = of_and(a, b);
    if (e.op == BinaryOp::Rem) result = of_remainder(a, b);
    if (e.op == BinaryOp::Add && !typical) result = of_sum(a, b);
    if (e.op == BinaryOp::Sub && !typical) result = of_difference(a, b);
    if (e.op == BinaryOp::Mul && !typical) result = of_product(a, b);
    result.non_negative |= !type->is_signed();
    result.width = std::min({result.width, most, width});
    return result;
}

/// `most`: the width beyond which nobody asks.
IntRange range_within(const Expr& e, unsigned most, bool typical, int depth) {
    const Type* type = e.type.type;
    if (!type->is_integer()) return {64, false};
    if (++depth > kMaxLook) return range_of_type(type);
    if (auto bits = evaluate_integer(e)) return range_of_value(*bits, type);
    switch (e.kind) {
        case ExprKind::Paren: return range_within(*as<ParenExpr>(e).inner, most, typical, depth);
        case ExprKind::Cast: {
            auto& cast = as<CastExpr>(e);
            IntRange own = range_of_type(type);
            if (cast.written) return own;  // a written cast is meant as it stands
            if (cast.cast == CastKind::LValueToRValue || cast.cast == CastKind::NoOp)
                return range_within(*cast.operand, most, typical, depth);
            if (cast.cast != CastKind::Integral) return own;
            IntRange inner = range_within(*cast.operand, std::min(most, own.width), typical, depth);
            if (inner.width >= own.width) return own;
            return {inner.width, inner.non_negative || own.non_negative};
        }
        case ExprKind::Conditional: {
            auto& choice = as<ConditionalExpr>(e);
            if (!choice.if_true) break;
            if (auto known = evaluate_integer(*choice.condition))
                return range_within(*known ? *choice.if_true : *choice.if_false, most, typical, depth);
            return join(range_within(*choice.if_true, most, typical, depth),
                        range_within(*choice.if_false, most, typical, depth));
        }
        case ExprKind::Binary: return range_of_binary(as<BinaryExpr>(e), most, typical, depth);
        case ExprKind::Assign:
            if (!as<AssignExpr>(e).compound)
                return range_within(*as<AssignExpr>(e).rhs, most, typical, depth);
            break;
        case ExprKind::Unary: {
            auto& unary = as<UnaryExpr>(e);
            if (unary.op == UnaryOp::LogicalNot) return {1, true};
            if (unary.op != UnaryOp::Deref && unary.op != UnaryOp::AddressOf)
                return range_within(*unary.operand, most, typical, depth);
            break;
        }
        default: break;
    }
    return range_of_type(type);
}

}  // namespace

IntRange range_of_type(const Type* type) {
    if (type->kind == TypeKind::Bool) return {1, true};
    return {bits_of(type), !type->is_signed()};
}

IntRange range_of(const Expr& e, bool typical) {
    return range_within(e, e.type->is_integer() ? bits_of(e.type.type) : 64, typical, 0);
}

}  // namespace caldera::frontend
