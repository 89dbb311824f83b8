// SPDX-License-Identifier: Apache-2.0
// OpenCL C's scalar operations, each rounded once, on numbers that travel as their bits.
#pragma once

#include <cstdint>
#include <optional>

namespace caldera::float_order {

enum class Kind : uint8_t { Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double };

struct KindInfo {
    const char* name = "";
    int bytes = 0;
    bool is_signed = true;
    int digits = 0;        ///< of a real number's significand, the hidden one included; 0: an integer
    int max_exponent = 0;  ///< the largest finite number is just below 2^max_exponent

    bool is_real() const { return digits != 0; }
    uint64_t mask() const { return ~uint64_t{0} >> (64 - 8 * bytes); }
    uint64_t sign() const { return uint64_t{1} << (8 * bytes - 1); }
    uint64_t hidden() const { return uint64_t{1} << (digits - 1); }
    uint64_t infinity() const { return (sign() - 1) & ~(hidden() - 1); }
    uint64_t nan() const { return infinity() | hidden() >> 1; }
    uint64_t magnitude(uint64_t bits) const { return bits & (sign() - 1); }
    bool is_nan(uint64_t bits) const { return is_real() && magnitude(bits) > infinity(); }
    bool is_zero(uint64_t bits) const { return magnitude(bits) == 0; }
    bool is_finite(uint64_t bits) const { return magnitude(bits) < infinity(); }
    /// Denormal, or the least normal number, to which a denormal may have been rounded.
    bool may_be_flushed(uint64_t bits) const { return magnitude(bits) != 0 && magnitude(bits) <= hidden(); }
};

inline constexpr KindInfo kKinds[] = {{"char", 1},
                                      {"uchar", 1, false},
                                      {"short", 2},
                                      {"ushort", 2, false},
                                      {"int", 4},
                                      {"uint", 4, false},
                                      {"long", 8},
                                      {"ulong", 8, false},
                                      {"half", 2, true, 11, 16},
                                      {"float", 4, true, 24, 128},
                                      {"double", 8, true, 53, 1024}};
inline const KindInfo& info(Kind kind) { return kKinds[static_cast<int>(kind)]; }

/// The rounding modes of conversions. Default rounds to nearest, and to integers towards zero (OpenCL C 3.0
/// 6.4.3.2).
enum class Rounding : uint8_t { Default, Nearest, Zero, Up, Down };
inline constexpr const char* kRoundingSuffixes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};

// Values of the real kinds; every NaN is KindInfo::nan().
double real(Kind kind, uint64_t bits);  ///< exact
uint64_t add(Kind kind, uint64_t a, uint64_t b);
uint64_t subtract(Kind kind, uint64_t a, uint64_t b);
uint64_t multiply(Kind kind, uint64_t a, uint64_t b);
uint64_t divide(Kind kind, uint64_t a, uint64_t b);
uint64_t square_root(Kind kind, uint64_t a);
uint64_t fused(Kind kind, uint64_t a, uint64_t b, uint64_t c);  ///< a * b + c, rounded once
uint64_t negate(Kind kind, uint64_t a);
uint64_t absolute(Kind kind, uint64_t a);

enum class Integral : uint8_t { Rint, Trunc, Floor, Ceil, Round };
uint64_t to_integral(Kind kind, Integral mode, uint64_t a);

/// Converts from any kind to any kind. Returns nothing where the result is undefined, that is where a real
/// number is out of the integer's range.
std::optional<uint64_t> convert(Kind from, uint64_t bits, Kind to, Rounding rounding, bool saturated);

/// The nearest number of the kind.
uint64_t nearest(Kind kind, double value);

}  // namespace caldera::float_order
