// SPDX-License-Identifier: Apache-2.0
#include "frontend/ast/operators.h"

#include "frontend/types/type.h"

namespace caldera::frontend {

std::string decimal(uint64_t bits, const Type& type) {
    const uint64_t value = extend_sign(bits, type);
    return type.is_signed() ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

uint64_t order_key(uint64_t bits, const Type& type) {
    const uint64_t value = extend_sign(bits, type);
    return type.is_signed() ? value ^ uint64_t { 1 } << 63 : value;
}

std::optional<uint64_t> integer_result(BinaryOp op, uint64_t a, uint64_t b, const Type& type) {
    const uint64_t width = 8 * type.size_bytes;
    const auto result = [&](uint64_t bits) { return bits & (~uint64_t{0} >> (64 - width)); };
    const bool is_signed = type.is_signed();
    const auto x = static_cast<int64_t>(extend_sign(a, type)), y = static_cast<int64_t>(extend_sign(b, type));
    switch (op) {
        case BinaryOp::Mul: return result(a * b);
        case BinaryOp::Add: return result(a + b);
        case BinaryOp::Sub: return result(a - b);
        case BinaryOp::And: return a & b;
        case BinaryOp::Xor: return a ^ b;
        case BinaryOp::Or: return a | b;
        case BinaryOp::Shl: return result(a << b % width);
        case BinaryOp::Shr: return is_signed ? result(static_cast<uint64_t>(x >> b % width)) : a >> b % width;
        case BinaryOp::Div:
            if (b == 0) return std::nullopt;
            if (!is_signed) return a / b;
            return result(y == -1 ? 0 - a : static_cast<uint64_t>(x / y));  // x / y may trap
        case BinaryOp::Rem:
            if (b == 0) return std::nullopt;
            if (!is_signed) return a % b;
            return y == -1 ? 0 : result(static_cast<uint64_t>(x % y));
        case BinaryOp::Less:
        case BinaryOp::Greater:
        case BinaryOp::LessEqual:
        case BinaryOp::GreaterEqual:
        case BinaryOp::Equal:
        case BinaryOp::NotEqual: return is_signed ? compare(op, x, y) : compare(op, a, b);
        case BinaryOp::LogicalAnd:
        case BinaryOp::LogicalOr:
        case BinaryOp::Comma: break;
    }
    return std::nullopt;
}

}  // namespace caldera::frontend
