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

/// The nearest binary16, ties to even, computed by exact scaling.
inline uint16_t half_bits(double value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7e00;
    if (magnitude >= 65520) return sign | 0x7c00;
    if (magnitude < 0x1p-14) return sign | static_cast<uint16_t>(round_even(magnitude * 0x1p24));
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);                       // in [0.5, 1)
    const auto significand = static_cast<uint32_t>(round_even(fraction * 0x1p11));  // in [2^10, 2^11]
    return static_cast<uint16_t>(sign | ((static_cast<uint32_t>(exponent + 13) << 10) + significand));
}
inline double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
    return std::copysign(magnitude, bits >> 15 != 0 ? -1.0 : 1.0);
}

/// The bfloat16 that is nearest to the nearest float, ties to even, as SPV_KHR_bfloat16 converts.
inline uint16_t bfloat_bits(double value) {
    if (std::isnan(value)) return std::signbit(value) ? 0xffc0 : 0x7fc0;
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline double bfloat_value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

/// The bits of the nearest float of `width` bits (ties to even if the host rounds that way), and the value of
/// such bits.
inline uint64_t float_bits(uint32_t width, double value) {
    if (width == 16) return half_bits(value);
    if (width == 32) return std::bit_cast<uint32_t>(static_cast<float>(value));
    return std::bit_cast<uint64_t>(value);
}
inline double float_value(uint32_t width, uint64_t bits) {
    if (width == 16) return half_value(static_cast<uint16_t>(bits));
    if (width == 32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
    return std::bit_cast<double>(bits);
}

}  // namespace caldera
