// SPDX-License-Identifier: Apache-2.0
// Floats of 16, 32 and 64 bits as bit patterns.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace caldera {

/// The nearest whole number, ties to even, whatever rounding mode the host uses.
inline double round_even(double value) {
    const double below = std::floor(value), part = value - below;
    const bool up = part > 0.5 || (part == 0.5 && std::fmod(below, 2.0) != 0);
    return std::copysign(up ? below + 1 : below, value);
}

/// The NaN of `width` bits, 16 or 32, with the sign and the upper bits of another one's significand: all bits
/// of one that was widened. Hosts' conversions make NaNs quiet, but as_float() keeps all bits.
inline uint64_t narrow_nan(uint32_t width, double nan) {
    const uint32_t fraction_bits = width == 16 ? 10 : 23;
    const auto bits = std::bit_cast<uint64_t>(nan);
    const uint64_t fraction = (bits & 0xfffffffffffff) >> (52 - fraction_bits);
    const uint64_t infinity = (uint64_t{1} << (width - 1)) - (uint64_t{1} << fraction_bits);
    const uint64_t quiet = uint64_t{1} << (fraction_bits - 1);
    return bits >> 63 << (width - 1) | infinity | (fraction != 0 ? fraction : quiet);
}
inline double widen_nan(uint32_t width, uint64_t bits) {
    const uint32_t fraction_bits = width == 16 ? 10 : 23;
    const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
    return std::bit_cast<double>(bits >> (width - 1) << 63 | 0x7ff0000000000000 |
                                 fraction << (52 - fraction_bits));
}

/// The nearest binary16, ties to even, computed by exact scaling.
inline uint16_t half_bits(double value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return static_cast<uint16_t>(narrow_nan(16, value));
    if (magnitude >= 65520) return sign | 0x7c00;
    if (magnitude < 0x1p-14) return sign | static_cast<uint16_t>(round_even(magnitude * 0x1p24));
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);                       // in [0.5, 1)
    const auto significand = static_cast<uint32_t>(round_even(fraction * 0x1p11));  // in [2^10, 2^11]
    return static_cast<uint16_t>(sign | ((static_cast<uint32_t>(exponent + 13) << 10) + significand));
}
inline double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31 && fraction != 0) return widen_nan(16, bits);
    double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) magnitude = HUGE_VAL;
    return std::copysign(magnitude, bits >> 15 != 0 ? -1.0 : 1.0);
}

/// The bfloat16 that is nearest to the nearest float, ties to even, as SPV_KHR_bfloat16 converts.
inline uint16_t bfloat_bits(double value) {
    if (std::isnan(value)) return std::signbit(value) ? 0xffc0 : 0x7fc0;
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline double bfloat_value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

/// A format of 8 bits: E4M3, which has no infinity, or E5M2.
struct Float8Format {
    int fraction_bits = 0, bias = 0;
    uint8_t largest = 0;  ///< the bits of the largest number
};
constexpr Float8Format kE4M3Format = {3, 7, 0x7e}, kE5M2Format = {2, 15, 0x7b};

/// The nearest number of the format, ties to even; beyond all it is infinite, or a NaN of E4M3.
inline uint8_t float8_bits(const Float8Format& format, double value) {
    const uint8_t sign = std::signbit(value) ? 0x80 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return sign | (format.largest | 3);
    if (magnitude >= 0x1p17) return sign | (format.largest + 1);
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
    exponent = magnitude == 0 || exponent < 2 - format.bias ? 2 - format.bias : exponent;
    const int steps =
        static_cast<int>(round_even(std::ldexp(magnitude, format.fraction_bits + 1 - exponent)));
    const int bits = ((exponent - 2 + format.bias) << format.fraction_bits) + steps;
    return static_cast<uint8_t>(sign | (bits > format.largest ? format.largest + 1 : bits));
}
inline double float8_value(const Float8Format& format, uint8_t bits) {
    const int magnitude = bits & 127, exponent = magnitude >> format.fraction_bits;
    const int one = 1 << format.fraction_bits, fraction = magnitude & (one - 1);
    double value = std::ldexp(exponent == 0 ? fraction : fraction + one,
                              (exponent == 0 ? 1 : exponent) - format.bias - format.fraction_bits);
    if (magnitude > format.largest)
        value = magnitude == 0x7c ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    return std::copysign(value, bits & 128 ? -1.0 : 1.0);
}

/// The bits of the nearest float of `width` bits (ties to even if the host rounds that way), and the value of
/// such bits. Those of a NaN are kept.
inline uint64_t float_bits(uint32_t width, double value) {
    if (width == 16) return half_bits(value);
    if (width == 64) return std::bit_cast<uint64_t>(value);
    return std::isnan(value) ? narrow_nan(32, value) : std::bit_cast<uint32_t>(static_cast<float>(value));
}
inline double float_value(uint32_t width, uint64_t bits) {
    if (width == 16) return half_value(static_cast<uint16_t>(bits));
    if (width == 64) return std::bit_cast<double>(bits);
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    return std::isnan(value) ? widen_nan(32, bits) : value;
}

}  // namespace caldera
