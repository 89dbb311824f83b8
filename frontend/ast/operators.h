// SPDX-License-Identifier: Apache-2.0
// Numbers that are known: how they are written, and what C's binary operators make of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontend/ast/expr.h"

namespace caldera::frontend {

/// An integer of the scalar type, in messages.
std::string decimal(uint64_t bits, const Type& type);

/// Maps integers of the scalar type to unsigned numbers in the same order.
uint64_t order_key(uint64_t bits, const Type& type);

/// Whether the comparison holds.
template <class T>
bool compare(BinaryOp op, T a, T b) {
    switch (op) {
        case BinaryOp::Less: return a < b;
        case BinaryOp::Greater: return a > b;
        case BinaryOp::LessEqual: return a <= b;
        case BinaryOp::GreaterEqual: return a >= b;
        case BinaryOp::Equal: return a == b;
        default: return a != b;
    }
}

/// The bits of the result at the type's width, or the truth of a comparison. The operands are integers of the
/// scalar type. Results wrap, the least integer divided by -1 too, and a shift's count is taken modulo the
/// width (OpenCL C 6.3.10). None for a division by zero, and for operators that do not compute.
std::optional<uint64_t> integer_result(BinaryOp op, uint64_t a, uint64_t b, const Type& type);

}  // namespace caldera::frontend
