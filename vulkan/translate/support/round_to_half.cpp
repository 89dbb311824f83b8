// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/round_to_half.h"

namespace caldera::vulkan {

using spirv::Id;
using spv::Op;

namespace {

/// A float's half to nearest, in half as many instructions. An addition rounds what becomes a denormal half:
/// floats from 0.5 to 1 are as far apart as those are. A device that flushes denormal floats adds zeros, and
/// their halves are zeros.
Id round_float_to_nearest_half(Code& code, Id value) {
    const Id bits = code.bits(value), type = code.type(bits);
    const auto number = [&](uint64_t n) { return code.number(type, n); };
    const Id magnitude = code.magnitude_bits(value),
             sign = code.bit_and(code.shift_right(bits, 16), number(0x8000));

    constexpr uint32_t kRebase = (exponent_bias(32) - exponent_bias(16)) << mantissa_bits(32);
    const Id odd = code.bit_and(code.shift_right(magnitude, 13), number(1));
    const Id normal =
        code.shift_right(code.add(code.add(magnitude, odd), number(uint32_t{0xfff} - kRebase)), 13);
    const Id half = code.real(code.type(value), 0.5);
    const Id denormal = code.sub(code.bits(code.add(code.floats(magnitude), half)), code.bits(half));
    const Id least_normal = number(kRebase + (1 << mantissa_bits(32))), infinity = number(infinity_bits(16));
    const auto is_less = [&](Id a, Id b) { return code.compare(Op::OpULessThan, a, b); };
    const Id finite = code.select(is_less(magnitude, least_normal), denormal, normal);
    // what is at least halfway from the largest half to the next power of two is infinite
    const Id bounded = code.select(is_less(magnitude, number(0x477ff000)), finite, infinity);

    const Id nan = code.bit_or(code.bit_and(code.shift_right(magnitude, 13), number(0x3ff)), number(0x7e00));
    const Id result = code.select(is_less(number(infinity_bits(32)), magnitude), nan, bounded);
    return code.convert_unsigned(code.bit_or(result, sign), 16);
}

}  // namespace

Id round_to_half(Code& code, Id value, spv::FPRoundingMode rounding) {
    if (code.width(value) == 32 && rounding == spv::FPRoundingMode::RTE)
        return round_float_to_nearest_half(code, value);
    const uint32_t width = code.width(value), fraction_bits = mantissa_bits(width);
    const uint32_t drop = fraction_bits - mantissa_bits(16),
                   rebase = exponent_bias(width) - exponent_bias(16);
    const Id bits = code.bits(value), type = code.type(bits);
    const auto number = [&](uint64_t n) { return code.number(type, n); };
    const auto test = [&](Op op, Id a, Id b) { return code.compare(op, a, b); };

    const Id magnitude = code.magnitude_bits(value);
    const Id sign = code.bit_and(code.shift_right(bits, width - 16), number(0x8000));
    const Id negative = test(Op::OpINotEqual, sign, number(0));
    const Id exponent = code.shift_right(magnitude, fraction_bits);

    // A half that is normal keeps 10 bits of the mantissa; a denormal one shifts the whole mantissa further.
    const Id normal = test(Op::OpUGreaterThan, exponent, number(rebase));
    const Id rebased = code.sub(magnitude, number(uint64_t{rebase} << fraction_bits));
    const Id fraction = code.bit_and(magnitude, number((uint64_t{1} << fraction_bits) - 1));
    const Id mantissa = code.bit_or(fraction, number(uint64_t{1} << fraction_bits));
    const Id far = code.sub(number(drop + 1 + rebase), exponent), farthest = number(fraction_bits + 2);
    const Id near = code.select(test(Op::OpUGreaterThan, far, farthest), farthest, far);
    const Id is_zero = test(Op::OpIEqual, magnitude, number(0));
    const Id kept = code.select(normal, rebased, code.select(is_zero, number(0), mantissa));
    const Id shift = code.select(normal, number(drop), near);

    const Id quotient = code.binary(Op::OpShiftRightLogical, kept, shift);
    const Id one = code.binary(Op::OpShiftLeftLogical, number(1), shift);
    const Id rest = code.bit_and(kept, code.sub(one, number(1)));
    const Id inexact = test(Op::OpINotEqual, rest, number(0));
    const Id infinity = number(infinity_bits(16)), largest = number(infinity_bits(16) - 1);
    Id up, overflow;  // whether to round away from zero; what is beyond the largest half
    switch (rounding) {
        case spv::FPRoundingMode::RTZ: overflow = largest; break;
        case spv::FPRoundingMode::RTP:
            up = code.binary(Op::OpLogicalAnd, inexact, code.unary(Op::OpLogicalNot, negative));
            overflow = code.select(negative, largest, infinity);
            break;
        case spv::FPRoundingMode::RTN:
            up = code.binary(Op::OpLogicalAnd, inexact, negative);
            overflow = code.select(negative, infinity, largest);
            break;
        default: {
            const Id half = code.shift_right(one, 1);
            const Id odd = test(Op::OpINotEqual, code.bit_and(quotient, number(1)), number(0));
            const Id tie = code.binary(Op::OpLogicalAnd, test(Op::OpIEqual, rest, half), odd);
            up = code.binary(Op::OpLogicalOr, test(Op::OpUGreaterThan, rest, half), tie);
            overflow = infinity;
            break;
        }
    }
    const Id rounded = up ? code.add(quotient, code.select(up, number(1), number(0))) : quotient;
    const Id finite = code.select(test(Op::OpUGreaterThanEqual, rounded, infinity), overflow, rounded);

    const Id payload = code.bit_and(code.shift_right(fraction, drop), number(0x3ff));
    const Id nan = code.bit_or(payload, number(0x7e00));
    const Id wide_infinity = number(infinity_bits(width));
    const Id special = code.select(test(Op::OpUGreaterThan, magnitude, wide_infinity), nan, infinity);
    const Id result = code.select(test(Op::OpUGreaterThanEqual, magnitude, wide_infinity), special, finite);
    return code.convert_unsigned(code.bit_or(result, sign), 16);
}

std::vector<Id> pack_halves(Code& code, const std::vector<Id>& floats) {
    spirv::Builder& builder = code.builder();
    const Id u32 = builder.type_int(32);
    std::vector<Id> halves;
    for (size_t i = 0; i < floats.size(); i += 2) {
        const Id type = code.type(floats[i]);
        const bool is_pair = i + 1 < floats.size();
        const Id pair = builder.append(Op::OpCompositeConstruct, builder.type_vector(type, 2),
                                       {floats[i], is_pair ? floats[i + 1] : builder.constant_null(type)});
        const Id packed = code.glsl(GLSLstd450PackHalf2x16, u32, {pair});
        halves.push_back(code.convert_unsigned(packed, 16));
        if (is_pair) halves.push_back(code.convert_unsigned(code.shift_right(packed, 16), 16));
    }
    return halves;
}

}  // namespace caldera::vulkan
