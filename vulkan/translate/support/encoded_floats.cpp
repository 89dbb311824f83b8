// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/encoded_floats.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spv::Op;

Id bfloat_to_float(Builder& builder, Id bits) {
    const uint32_t count = builder.count(builder.type_of(bits));
    const Id words = builder.with_count(builder.type_int(32), count);
    const Id sixteen = builder.constant_splat(words, builder.constant_u32(16));
    const Id low = builder.append(Op::OpUConvert, words, {bits});
    const Id high = builder.append(Op::OpShiftLeftLogical, words, {low, sixteen});
    return builder.append(Op::OpBitcast, builder.with_count(builder.type_float(32), count), {high});
}

Id float_to_bfloat(Builder& builder, Id value, spv::FPRoundingMode rounding) {
    const uint32_t count = builder.count(builder.type_of(value));
    const Id words = builder.with_count(builder.type_int(32), count);
    const Id tests = builder.with_count(builder.type_bool(), count);
    const auto number = [&](uint32_t n) { return builder.constant_splat(words, builder.constant_u32(n)); };
    const auto op = [&](Op code, Id a, Id b) { return builder.append(code, words, {a, b}); };
    const Id bits = builder.append(Op::OpBitcast, words, {value});
    const Id high = op(Op::OpShiftRightLogical, bits, number(16));
    Id rounded = high;
    if (rounding == spv::FPRoundingMode::RTE) {
        const Id odd = op(Op::OpBitwiseAnd, high, number(1));
        const Id half = op(Op::OpIAdd, odd, number(0x7fff));
        rounded = op(Op::OpShiftRightLogical, op(Op::OpIAdd, bits, half), number(16));
    } else if (rounding != spv::FPRoundingMode::RTZ) {
        // What is not exact becomes the next number away from zero, on one side of zero.
        const bool is_up = rounding == spv::FPRoundingMode::RTP;
        const Id is_negative = builder.append(Op::OpUGreaterThan, tests, {bits, number(0x7fffffff)});
        const Id more = builder.append(Op::OpSelect, words,
                                       {is_negative, number(is_up ? 0 : 0xffff), number(is_up ? 0xffff : 0)});
        rounded = op(Op::OpShiftRightLogical, op(Op::OpIAdd, bits, more), number(16));
    }
    const Id quiet = op(Op::OpBitwiseOr, high, number(0x40));
    const Id magnitude = op(Op::OpBitwiseAnd, bits, number(0x7fffffff));
    const Id is_nan = builder.append(Op::OpUGreaterThan, tests, {magnitude, number(0x7f800000)});
    const Id chosen = builder.append(Op::OpSelect, words, {is_nan, quiet, rounded});
    return builder.append(Op::OpUConvert, builder.with_count(builder.type_int(16), count), {chosen});
}

}  // namespace caldera::vulkan
