// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/encoded_floats.h"

#include <bit>
#include <cmath>

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::FloatEncoding;
using spirv::Id;
using spv::FPRoundingMode;
using spv::Op;

constexpr uint32_t kSignBit32 = 0x80000000, kInfinity32 = 0x7f800000, kFractionBits32 = 23, kBias32 = 127;

/// A binary format of less than 32 bits.
struct NarrowFormat {
    uint32_t width = 0, fraction_bits = 0, bias = 0;
    uint32_t first_special = 0;  ///< the magnitude from which on it has infinity and NaN
};
constexpr NarrowFormat kE4M3 = {8, 3, 7, 0x7f}, kE5M2 = {8, 2, 15, 0x7c}, kBinary16 = {16, 10, 15, 0x7c00};

const NarrowFormat& narrow_format(FloatEncoding encoding) {
    return encoding == FloatEncoding::E4M3 ? kE4M3 : kE5M2;
}

/// Numbers of 32 bits, as many as the vector has that is converted. A float is its word.
class FloatWords {
 public:
    FloatWords(Builder& builder, Id like)
        : builder_(builder),
          count_(builder.count(builder.type_of(like))),
          words_(builder.with_count(builder.type_int(32), count_)) {}

    Id type() const { return words_; }
    Id of_width(uint32_t width) { return builder_.with_count(builder_.type_int(width), count_); }
    Id floats() { return builder_.with_count(builder_.type_float(32), count_); }

    Id number(uint32_t n) { return builder_.constant_splat(words_, builder_.constant_u32(n)); }
    Id op(Op code, Id a, Id b) { return builder_.append(code, words_, {a, b}); }
    Id op(Op code, Id a, uint32_t b) { return op(code, a, number(b)); }
    Id test(Op code, Id a, uint32_t b) {
        return builder_.append(code, builder_.with_count(builder_.type_bool(), count_), {a, number(b)});
    }
    Id select(Id condition, Id a, Id b) { return builder_.append(Op::OpSelect, words_, {condition, a, b}); }
    Id one_if(Id condition) { return select(condition, number(1), number(0)); }
    Id narrowed(Id word, uint32_t width) { return builder_.append(Op::OpUConvert, of_width(width), {word}); }

    // ---- From a narrow format ----

    Id from(Id bits, const NarrowFormat& format) {
        const uint32_t sign = uint32_t{1} << (format.width - 1);
        const Id word = builder_.append(Op::OpUConvert, words_, {bits});
        const Id magnitude = op(Op::OpBitwiseAnd, word, sign - 1);
        const Id shifted = op(Op::OpShiftLeftLogical, magnitude, kFractionBits32 - format.fraction_bits);
        const Id normal = op(Op::OpIAdd, shifted, (kBias32 - format.bias) << kFractionBits32);
        // A denormal is so many of the least number, and normal as a float.
        const double least = std::ldexp(1.0, 1 - static_cast<int>(format.bias + format.fraction_bits));
        const Id scale = builder_.constant_splat(
            floats(), builder_.constant_float_bits(builder_.type_float(32),
                                                   std::bit_cast<uint32_t>(static_cast<float>(least))));
        const Id multiple = builder_.append(Op::OpConvertUToF, floats(), {magnitude});
        const Id product = builder_.append(Op::OpFMul, floats(), {multiple, scale});
        const Id denormal = builder_.append(Op::OpBitcast, words_, {product});
        const Id is_denormal = test(Op::OpULessThan, magnitude, uint32_t{1} << format.fraction_bits);
        const Id is_special = test(Op::OpUGreaterThanEqual, magnitude, format.first_special);
        const Id finite = select(is_denormal, denormal, normal);
        const Id found = select(is_special, op(Op::OpBitwiseOr, shifted, kInfinity32), finite);
        const Id high = op(Op::OpBitwiseAnd, word, sign);
        return op(Op::OpBitwiseOr, found, op(Op::OpShiftLeftLogical, high, 32 - format.width));
    }

    /// The double as a float that is cut off, with a last bit that is 1 if anything was: it rounds to fewer
    /// bits as the double does. Beyond all formats of 8 bits it is zero with that bit, or infinite.
    Id from_double(Id value) {
        const Id longs = of_width(64);
        const Id bits = builder_.append(Op::OpBitcast, longs, {value});
        const Id half = builder_.constant_splat(longs, builder_.constant_u64(32));
        const Id low = narrowed(bits, 32);
        const Id high = narrowed(builder_.append(Op::OpShiftRightLogical, longs, {bits, half}), 32);
        constexpr uint32_t kDoubleFraction = 20, kDoubleBias = 1023, kMore = 3;  // bits, of the upper half
        constexpr uint32_t kRebias = (kDoubleBias - kBias32) << kDoubleFraction, kDoubleInfinity = 0x7ff00000;
        const Id magnitude = op(Op::OpBitwiseAnd, high, ~kSignBit32);
        const Id any = op(Op::OpBitwiseOr, magnitude, one_if(test(Op::OpINotEqual, low, 0)));
        const Id upper = op(Op::OpShiftLeftLogical, op(Op::OpISub, magnitude, kRebias), kMore);
        const Id cut = op(Op::OpBitwiseOr, upper, op(Op::OpShiftRightLogical, low, 32 - kMore));
        const Id rest = op(Op::OpBitwiseAnd, low, ~uint32_t{0} >> kMore);
        Id found = op(Op::OpBitwiseOr, cut, one_if(test(Op::OpINotEqual, rest, 0)));
        const Id is_tiny = test(Op::OpULessThan, magnitude, kRebias + (1 << kDoubleFraction));
        found = select(is_tiny, one_if(test(Op::OpINotEqual, any, 0)), found);
        const Id is_large =
            test(Op::OpUGreaterThanEqual, magnitude, kRebias + (uint32_t{255} << kDoubleFraction));
        found = select(is_large, number(kInfinity32), found);
        found = select(test(Op::OpUGreaterThan, any, kDoubleInfinity), number(kInfinity32 | 0x400000), found);
        return op(Op::OpBitwiseOr, found, op(Op::OpBitwiseAnd, high, kSignBit32));
    }

    // ---- To an encoding ----

    Id rounded(Id word, const NarrowFormat& format, EncodedRounding rounding) {
        const uint32_t cut = kFractionBits32 - format.fraction_bits, first_normal = kBias32 + 1 - format.bias;
        const Id magnitude = op(Op::OpBitwiseAnd, word, ~kSignBit32);
        const Id exponent = op(Op::OpShiftRightLogical, magnitude, kFractionBits32);
        // A denormal is cut off further left.
        const Id is_small = test(Op::OpULessThan, exponent, first_normal);
        const Id significand =
            op(Op::OpBitwiseOr, op(Op::OpBitwiseAnd, magnitude, (1 << kFractionBits32) - 1),
               1 << kFractionBits32);
        const Id further = op(Op::OpISub, number(cut + first_normal), exponent);
        const Id at_most = select(test(Op::OpUGreaterThan, further, 31), number(31), further);
        const Id shift = select(is_small, at_most, number(cut));
        const Id base = select(is_small, significand,
                               op(Op::OpISub, magnitude, (kBias32 - format.bias) << kFractionBits32));
        const Id more = rounding_term(word, base, shift, rounding.mode);
        const Id result = op(Op::OpShiftRightLogical, more ? op(Op::OpIAdd, base, more) : base, shift);
        const bool has_infinity = format.first_special != (uint32_t{1} << (format.width - 1)) - 1;
        const uint32_t most = format.first_special - (rounding.saturates ? 1 : 0);
        const Id limited = select(test(Op::OpUGreaterThan, result, most), number(most), result);
        Id nan = number(format.first_special);
        if (has_infinity) {  // the upper bits of its fraction, the first of which is 1
            const Id part = op(Op::OpBitwiseAnd, op(Op::OpShiftRightLogical, magnitude, cut), 1);
            nan = op(Op::OpBitwiseOr, part, format.first_special | 2);
        }
        const Id found = select(test(Op::OpUGreaterThan, magnitude, kInfinity32), nan, limited);
        const Id sign = op(Op::OpBitwiseAnd, op(Op::OpShiftRightLogical, word, 32 - format.width),
                           uint32_t{1} << (format.width - 1));
        return narrowed(op(Op::OpBitwiseOr, found, sign), format.width);
    }

    Id to_bfloat(Id bits, FPRoundingMode mode) {
        const Id high = op(Op::OpShiftRightLogical, bits, 16);
        Id result = high;
        if (mode == FPRoundingMode::RTE) {
            const Id odd = op(Op::OpBitwiseAnd, high, 1);
            const Id half = op(Op::OpIAdd, odd, 0x7fff);
            result = op(Op::OpShiftRightLogical, op(Op::OpIAdd, bits, half), 16);
        } else if (mode != FPRoundingMode::RTZ) {
            result = op(Op::OpShiftRightLogical, op(Op::OpIAdd, bits, away(bits, number(0xffff), mode)), 16);
        }
        const Id quiet = op(Op::OpBitwiseOr, high, 0x40);
        const Id magnitude = op(Op::OpBitwiseAnd, bits, ~kSignBit32);
        const Id is_nan = test(Op::OpUGreaterThan, magnitude, kInfinity32);
        return narrowed(select(is_nan, quiet, result), 16);
    }

 private:
    /// What is not exact becomes the next number away from zero, on one side of zero.
    Id away(Id word, Id low, FPRoundingMode mode) {
        const bool is_up = mode == FPRoundingMode::RTP;
        const Id is_negative = test(Op::OpUGreaterThan, word, ~kSignBit32);
        return select(is_negative, is_up ? number(0) : low, is_up ? low : number(0));
    }
    /// What is added before `shift` bits are cut off. None if nothing is.
    Id rounding_term(Id word, Id base, Id shift, FPRoundingMode mode) {
        if (mode == FPRoundingMode::RTZ) return {};
        const Id low = op(Op::OpISub, op(Op::OpShiftLeftLogical, number(1), shift), 1);
        if (mode == FPRoundingMode::RTE) {
            const Id odd = op(Op::OpBitwiseAnd, op(Op::OpShiftRightLogical, base, shift), 1);
            return op(Op::OpIAdd, op(Op::OpShiftRightLogical, low, 1), odd);
        }
        const Id is_zero = test(Op::OpIEqual, op(Op::OpBitwiseAnd, word, ~kSignBit32), 0);
        return select(is_zero, number(0), away(word, low, mode));
    }

    Builder& builder_;
    uint32_t count_;
    Id words_;
};

}  // namespace

uint32_t width_of(FloatEncoding encoding) { return encoding == FloatEncoding::BFloat16 ? 16 : 8; }

Id encoded_to_float(Builder& builder, FloatEncoding encoding, Id bits) {
    FloatWords words(builder, bits);
    Id word;
    if (encoding == FloatEncoding::BFloat16)
        word = words.op(Op::OpShiftLeftLogical, builder.append(Op::OpUConvert, words.type(), {bits}), 16);
    else
        word = words.from(bits, narrow_format(encoding));
    return builder.append(Op::OpBitcast, words.floats(), {word});
}

Id float_to_encoded(Builder& builder, FloatEncoding encoding, Id value, EncodedRounding rounding) {
    FloatWords words(builder, value);
    const uint32_t width = builder.width(builder.type_of(value));
    Id word;
    if (width == 64)
        word = words.from_double(value);
    else if (width == 16)
        word = words.from(builder.append(Op::OpBitcast, words.of_width(16), {value}), kBinary16);
    else
        word = builder.append(Op::OpBitcast, words.type(), {value});
    return encoding == FloatEncoding::BFloat16 ? words.to_bfloat(word, rounding.mode)
                                               : words.rounded(word, narrow_format(encoding), rounding);
}

Id half_to_float(Builder& builder, Id bits) {
    FloatWords words(builder, bits);
    return builder.append(Op::OpBitcast, words.floats(), {words.from(bits, kBinary16)});
}

Id encoded_to_float_type(Builder& builder, FloatEncoding encoding, Id bits, Id type) {
    if (encoding == FloatEncoding::E5M2 && builder.width(type) == 16) {
        // Devices need not keep a half's denormals when a float becomes one.
        const Id halves = builder.with_count(builder.type_int(16), builder.count(type));
        const Id eight = builder.constant_splat(halves, builder.constant_int(builder.type_int(16), 8));
        const Id low = builder.append(Op::OpUConvert, halves, {bits});
        return builder.append(Op::OpBitcast, type,
                              {builder.append(Op::OpShiftLeftLogical, halves, {low, eight})});
    }
    const Id value = encoded_to_float(builder, encoding, bits);
    return builder.type_of(value) == type ? value : builder.append(Op::OpFConvert, type, {value});
}

Id int_to_encoded(Builder& builder, FloatEncoding encoding, Id value, bool is_signed,
                  EncodedRounding rounding) {
    // The integer as a float that is exact, or beyond all floats of 8 bits as the integer is.
    constexpr uint32_t kBeyond = 0x20000, kExactBits = 24;
    const Id type = builder.type_of(value);
    const uint32_t count = builder.count(type), width = builder.width(type);
    if (width > kExactBits) {
        const Id tests = builder.with_count(builder.type_bool(), count);
        const auto limit = [&](Op beyond, int64_t most) {
            const Id number = builder.constant_splat(
                type, builder.constant_int(builder.type_int(width), static_cast<uint64_t>(most)));
            const Id is_beyond = builder.append(beyond, tests, {value, number});
            value = builder.append(Op::OpSelect, type, {is_beyond, number, value});
        };
        limit(is_signed ? Op::OpSGreaterThan : Op::OpUGreaterThan, kBeyond);
        if (is_signed) limit(Op::OpSLessThan, -int64_t{kBeyond});
    }
    const Id floats = builder.with_count(builder.type_float(32), count);
    value = builder.append(is_signed ? Op::OpConvertSToF : Op::OpConvertUToF, floats, {value});
    return float_to_encoded(builder, encoding, value, rounding);
}

}  // namespace caldera::vulkan
