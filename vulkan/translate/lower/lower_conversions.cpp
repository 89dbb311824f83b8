// SPDX-License-Identifier: Apache-2.0
// Conversions by OpenCL C 3.0 6.4.3 "Explicit Conversions". Vulkan's conversions round to nearest even or
// toward zero at the driver's choice, and are undefined for values out of range. So rounding modes and
// saturation are computed here.
#include "vulkan/translate/lower/lower_conversions.h"

#include <cmath>
#include <utility>

#include "spirv/cooperative_matrix.h"
#include "vulkan/translate/support/round_to_half.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spv::FPRoundingMode;
using spv::Op;

class Converter {
 public:
    Converter(Code& code, ConversionMode mode) : code_(code), mode_(mode) {}

    // ---- Floating point to integer ----

    Id float_to_int(Op op, Id value, Id type) {
        const bool is_signed = op == Op::OpConvertFToS;
        if (code_.width(value) == 16)
            value = code_.convert_float(value, 32);  // exact; its range is any integer's
        if (mode_.rounding == FPRoundingMode::RTE) value = code_.glsl(GLSLstd450RoundEven, {value});
        if (mode_.rounding == FPRoundingMode::RTP) value = code_.glsl(GLSLstd450Ceil, {value});
        if (mode_.rounding == FPRoundingMode::RTN) value = code_.glsl(GLSLstd450Floor, {value});
        Id result = code_.op(op, type, {value});
        if (!mode_.saturated) return result;
        const uint32_t width = code_.builder().width(type);
        const double above = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
        const double lowest = is_signed ? -above : 0.0;
        const Id max = code_.number(type, is_signed ? sign_bit(width) - 1 : all_ones(width));
        const Id min = code_.number(type, is_signed ? sign_bit(width) : 0);
        const Id float_type = code_.type(value);
        result = code_.select(compare(Op::OpFOrdGreaterThanEqual, value, code_.real(float_type, above)), max,
                              result);
        result = code_.select(compare(Op::OpFOrdLessThanEqual, value, code_.real(float_type, lowest)), min,
                              result);
        return code_.select(code_.is_nan(value), code_.number(type, 0), result);
    }

    // ---- Integer to floating point ----

    bool is_directed() const { return mode_.rounding && *mode_.rounding != FPRoundingMode::RTE; }

    Id int_to_float(Op op, Id value, Id type) {
        const uint32_t to = code_.builder().width(type), from = code_.width(value);
        const bool exact = from <= mantissa_bits(to) + 1;
        if (exact || !is_directed()) return code_.op(op, type, {value});
        // Directed rounding twice in one direction is directed rounding.
        if (to == 16) return narrow_float(directed_int_to_float(op, value, 32), type);
        return directed_int_to_float(op, value, to);
    }

    /// For a device that goes through a double: where that would round, the bit above the lowest 11 says
    /// whether these are not zero, so that the double is exact. It is on the same side of each tie of floats,
    /// which are multiples of 2^29 there.
    Id long_to_float(Op op, Id value, Id type) {
        const Id longs = code_.type(value);
        const auto number = [&](uint64_t n) { return code_.number(longs, n); };
        const Id rest = code_.bit_and(value, number(0x7ff));
        const Id last = code_.select(compare(Op::OpINotEqual, rest, number(0)), number(0x800), number(0));
        const Id shorter = code_.bit_or(code_.bit_and(value, number(~uint64_t{0x7ff})), last);
        // Doubles hold numbers of a magnitude up to 2^53.
        const bool is_signed = op == Op::OpConvertSToF;
        const Id above = is_signed ? code_.add(value, number(uint64_t{1} << 53)) : value;
        const Id is_long = compare(Op::OpUGreaterThan, above, number(uint64_t{1} << (is_signed ? 54 : 53)));
        return code_.op(op, type, {code_.select(is_long, shorter, value)});
    }

    /// Converts two exact parts, whose sum rounds once.
    Id uint_to_float(Id value, Id type) {
        const Id low = code_.bit_and(value, code_.number(code_.type(value), 0xffff));
        const Id high = code_.op(Op::OpConvertUToF, type, {code_.shift_right(value, 16)});
        return code_.add(code_.mul(high, code_.real(type, 0x1p16)), code_.op(Op::OpConvertUToF, type, {low}));
    }

    /// The leading bits that the significand holds, rounded as an integer, times a power of two.
    Id directed_int_to_float(Op op, Id value, uint32_t to) {
        const bool is_signed = op == Op::OpConvertSToF;
        const uint32_t from = code_.width(value);
        if (from <= mantissa_bits(to) + 1) return code_.op(op, code_.float_type(value, to), {value});
        const Id type = code_.type(value);
        const Id negative = is_signed ? code_.is_negative(value) : Id{};
        const Id magnitude =
            is_signed ? code_.select(negative, code_.unary(Op::OpSNegate, value), value) : value;
        const Id shift = excess_bits(magnitude, mantissa_bits(to));
        Id leading = code_.binary(Op::OpShiftRightLogical, magnitude, shift);
        if (*mode_.rounding != FPRoundingMode::RTZ) {
            const Id back = code_.binary(Op::OpShiftLeftLogical, leading, shift);
            const Id inexact = compare(Op::OpINotEqual, back, magnitude);
            const Id up = code_.select(inexact, code_.number(type, 1), code_.number(type, 0));
            const Id zero = code_.number(type, 0);
            const bool up_when_positive = *mode_.rounding == FPRoundingMode::RTP;
            const Id step =
                negative ? code_.select(negative, up_when_positive ? zero : up, up_when_positive ? up : zero)
                : up_when_positive ? up
                                   : zero;
            leading = code_.add(leading, step);
        }
        const Id scale_bits = code_.shift_left(
            code_.convert_unsigned(code_.add(shift, code_.number(type, exponent_bias(to))), to),
            mantissa_bits(to));
        const Id scaled = code_.mul(code_.op(Op::OpConvertUToF, code_.float_type(value, to), {leading}),
                                    code_.floats(scale_bits));
        return negative ? code_.select(negative, code_.unary(Op::OpFNegate, scaled), scaled) : scaled;
    }

    /// How many bits above `kept` + 1 the number has: max(index of the leading one - kept, 0).
    Id excess_bits(Id magnitude, uint32_t kept) {
        const Id type = code_.type(magnitude);
        const Id i32 = code_.int_type(magnitude, 32);
        Id leading = {};
        if (code_.width(magnitude) == 64) {
            const Id high = code_.convert_unsigned(code_.shift_right(magnitude, 32), 32);
            const Id low = code_.convert_unsigned(magnitude, 32);
            const Id high_index = code_.add(code_.glsl(GLSLstd450FindUMsb, {high}), code_.number(i32, 32));
            leading = code_.select(compare(Op::OpIEqual, high, code_.number(i32, 0)),
                                   code_.glsl(GLSLstd450FindUMsb, {low}), high_index);
        } else {
            leading = code_.glsl(GLSLstd450FindUMsb, {code_.convert_unsigned(magnitude, 32)});
        }
        const Id excess =
            code_.glsl(GLSLstd450SMax, {code_.sub(leading, code_.number(i32, kept)), code_.number(i32, 0)});
        return code_.convert_unsigned(excess, code_.builder().width(type));
    }

    // ---- Between floating-point formats ----

    /// The device's conversion returns one of the two neighbouring numbers. A comparison with the source
    /// tells which, and incrementing the bit pattern gives the next number.
    Id narrow_float(Id value, Id type) {
        if (code_.builder().width(type) == 16)
            return code_.floats(round_to_half(code_, value, mode_.rounding.value_or(FPRoundingMode::RTE)));
        const auto [pattern, back] = neighbour(value, type);
        const Id int_type = code_.type(pattern);
        const Id one = code_.number(int_type, 1);
        const Id larger = code_.add(pattern, one), smaller = code_.sub(pattern, one);
        Id wrong = {}, fixed = {};
        switch (*mode_.rounding) {
            case FPRoundingMode::RTZ:
                wrong = compare(Op::OpFOrdGreaterThan, code_.glsl(GLSLstd450FAbs, {back}),
                                code_.glsl(GLSLstd450FAbs, {value}));
                fixed = smaller;
                break;
            case FPRoundingMode::RTP:
                wrong = compare(Op::OpFOrdLessThan, back, value);
                fixed = code_.select(code_.is_negative(pattern), smaller, larger);
                break;
            default:
                wrong = compare(Op::OpFOrdGreaterThan, back, value);
                fixed = code_.select(code_.is_negative(pattern), larger, smaller);
                break;
        }
        return code_.floats(code_.select(wrong, fixed, pattern));
    }

    /// The bits of one of the two floats next to a double, and its value as a double. A denormal one, which
    /// the device may flush, is a multiple of the least.
    std::pair<Id, Id> neighbour(Id value, Id type) {
        const Id wide = code_.type(value);
        const Id near = code_.op(Op::OpFConvert, type, {value});
        const Id multiple = code_.mul(value, code_.real(wide, 0x1p149));
        const Id count = code_.op(Op::OpConvertFToS, code_.int_type(value, 32), {multiple});
        const Id zero = code_.select(code_.is_sign_set(value), code_.number(code_.type(count), sign_bit(32)),
                                     code_.number(code_.type(count), 0));
        const Id small_bits = code_.bit_or(code_.glsl(GLSLstd450SAbs, {count}), zero);
        const Id small = code_.mul(code_.op(Op::OpConvertSToF, wide, {count}), code_.real(wide, 0x1p-149));
        const Id is_small =
            compare(Op::OpFOrdLessThan, code_.glsl(GLSLstd450FAbs, {value}), code_.real(wide, 0x1p-126));
        return {code_.select(is_small, small_bits, code_.bits(near)),
                code_.select(is_small, small, code_.convert_float(near, 64))};
    }

    // ---- Between integers ----

    /// Converts between signed and unsigned, and clamps to the destination's range.
    Id saturate(Id value, Id type, bool from_signed) {
        const uint32_t from = code_.width(value), to = code_.builder().width(type);
        const Id source = code_.type(value);
        if (from_signed) value = code_.glsl(GLSLstd450SMax, {value, code_.number(source, 0)});
        const uint32_t magnitude_to = from_signed ? to : to - 1,
                       magnitude_from = from_signed ? from - 1 : from;
        if (magnitude_to < magnitude_from)
            value = code_.glsl(GLSLstd450UMin, {value, code_.number(source, all_ones(magnitude_to))});
        return code_.convert_unsigned(value, to);
    }

 private:
    Id compare(Op op, Id a, Id b) { return code_.compare(op, a, b); }

    Code& code_;
    ConversionMode mode_;
};

}  // namespace

std::optional<Id> lower_conversion(Code& code, const spirv::Instruction& inst, ConversionMode mode,
                                   const DeviceProfile& profile) {
    Converter converter(code, mode);
    const Id value = inst.id(0);
    const bool saturates =
        mode.saturated || inst.op == Op::OpSatConvertSToU || inst.op == Op::OpSatConvertUToS;
    if (code.type(value) == inst.type && !saturates) return value;
    if (code.builder().op_of_type(inst.type) == spirv::kTypeMatrix) return std::nullopt;  // the device's
    switch (inst.op) {
        case Op::OpConvertFToS:
        case Op::OpConvertFToU:
            if (!mode.saturated && (!mode.rounding || mode.rounding == FPRoundingMode::RTZ))
                return std::nullopt;
            return converter.float_to_int(inst.op, value, inst.type);
        case Op::OpConvertSToF:
        case Op::OpConvertUToF:
            if (!converter.is_directed() && profile.quirks.long_to_float_rounds_twice &&
                code.width(value) == 64 && code.builder().width(inst.type) == 32)
                return converter.long_to_float(inst.op, value, inst.type);
            if (!converter.is_directed())
                return profile.quirks.unsigned_to_float_rounds_twice && inst.op == Op::OpConvertUToF &&
                               code.width(value) == 32 && code.builder().width(inst.type) == 32
                           ? std::optional(converter.uint_to_float(value, inst.type))
                           : std::nullopt;
            return converter.int_to_float(inst.op, value, inst.type);
        case Op::OpFConvert:
            if (code.builder().width(inst.type) >= code.width(value)) return std::nullopt;
            // Devices round to nearest correctly in one step.
            if (!converter.is_directed() && code.builder().width(inst.type) * 2 == code.width(value))
                return std::nullopt;
            return converter.narrow_float(value, inst.type);
        case Op::OpSatConvertSToU: return converter.saturate(value, inst.type, true);
        case Op::OpSatConvertUToS: return converter.saturate(value, inst.type, false);
        default: return std::nullopt;
    }
}

}  // namespace caldera::vulkan
