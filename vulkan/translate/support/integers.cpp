// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/integers.h"

namespace caldera::vulkan {

using enum spv::Op;

std::optional<int64_t> signed_constant(const spirv::Builder& builder, spirv::Id id) {
    const std::optional<uint64_t> value = builder.constant_value(id);
    if (!value || !builder.is_int(builder.type_of(id))) return std::nullopt;
    return sign_extend(*value, builder.width(builder.type_of(id)));
}

std::optional<uint64_t> integer_result(spv::Op op, uint64_t a, uint64_t b, uint32_t width) {
    const int64_t sa = sign_extend(a, width), sb = sign_extend(b, width);
    const auto result = [&](auto value) { return static_cast<uint64_t>(value) & all_ones(width); };
    switch (op) {
        case OpIAdd: return result(a + b);
        case OpISub: return result(a - b);
        case OpIMul: return result(a * b);
        case OpBitwiseAnd: return a & b;
        case OpBitwiseOr: return a | b;
        case OpBitwiseXor: return a ^ b;
        case OpIEqual: return a == b;
        case OpINotEqual: return a != b;
        case OpULessThan: return a < b;
        case OpULessThanEqual: return a <= b;
        case OpUGreaterThan: return a > b;
        case OpUGreaterThanEqual: return a >= b;
        case OpSLessThan: return sa < sb;
        case OpSLessThanEqual: return sa <= sb;
        case OpSGreaterThan: return sa > sb;
        case OpSGreaterThanEqual: return sa >= sb;
        default: break;
    }
    const bool is_shift =
        op == OpShiftLeftLogical || op == OpShiftRightLogical || op == OpShiftRightArithmetic;
    const bool is_minus_one = b == all_ones(width);  // the processor's division traps where it overflows
    if (is_shift ? b >= width : b == 0) return std::nullopt;
    switch (op) {
        case OpShiftLeftLogical: return result(a << b);
        case OpShiftRightLogical: return a >> b;
        case OpShiftRightArithmetic: return result(sa >> b);
        case OpUDiv: return a / b;
        case OpUMod: return a % b;
        case OpSDiv: return is_minus_one ? result(0 - a) : result(sa / sb);
        case OpSRem: return is_minus_one ? 0 : result(sa % sb);
        case OpSMod:  // has the sign of the divisor
            if (is_minus_one) return 0;
            return result(sa % sb != 0 && (sa ^ sb) < 0 ? sa % sb + sb : sa % sb);
        default: return std::nullopt;
    }
}

}  // namespace caldera::vulkan
