// SPDX-License-Identifier: Apache-2.0
// The scalar types of OpenCL C, and exact conversions between them (OpenCL C 3.0 6.4.3).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "number.h"

namespace caldera::accuracy {

/// A number of it travels as its bits, zeros above.
struct ScalarType {
    const char* name = "";
    const char* bits_name = "";  ///< the unsigned integer as wide
    int bytes = 0;
    bool is_signed = false;
    const Format* format = nullptr;  ///< of floating-point types

    int bits() const { return 8 * bytes; }
    /// A number's width in bits, without its sign.
    int digits() const { return format ? format->digits : bits() - (is_signed ? 1 : 0); }
    uint64_t mask() const { return ~uint64_t{0} >> (64 - bits()); }
    uint64_t largest() const { return mask() >> (is_signed ? 1 : 0); }          ///< of an integer type
    uint64_t least() const { return is_signed ? mask() & ~(mask() >> 1) : 0; }  ///< of an integer type
    int64_t sign_extended(uint64_t number) const;
    void to(Number& value, uint64_t number) const;
};

inline constexpr ScalarType kScalarTypes[] = {
    {"char", "uchar", 1, true},
    {"uchar", "uchar", 1},
    {"short", "ushort", 2, true},
    {"ushort", "ushort", 2},
    {"int", "uint", 4, true},
    {"uint", "uint", 4},
    {"long", "ulong", 8, true},
    {"ulong", "ulong", 8},
    {"half", "ushort", 2, true, &kHalf},
    {"float", "uint", 4, true, &kFloat},
    {"double", "ulong", 8, true, &kDouble},
};

/// A rounding mode as the names of functions end.
struct Rounding {
    const char* suffix = "";
    mpfr_rnd_t to_integer = {}, to_float = {};
};
inline constexpr Rounding kRoundings[] = {{"", MPFR_RNDZ, MPFR_RNDN},
                                          {"_rte", MPFR_RNDN, MPFR_RNDN},
                                          {"_rtz", MPFR_RNDZ, MPFR_RNDZ},
                                          {"_rtp", MPFR_RNDU, MPFR_RNDU},
                                          {"_rtn", MPFR_RNDD, MPFR_RNDD}};

/// The exact result; nothing where it is undefined, which is what floating-point numbers out of an integer's
/// range are without saturation.
std::optional<uint64_t> convert(const ScalarType& from, uint64_t number, const ScalarType& to,
                                const Rounding& rounding, bool saturated);

/// Whether there are numbers that rounding modes convert differently.
bool rounds(const ScalarType& from, const ScalarType& to);

/// The numbers to convert. For types of 8 and 16 bits these are all numbers. For wider types they are those
/// around powers of two, those at and next to the steps of each type of `to` and midway between the steps,
/// infinities, NaN, and `random` others.
std::vector<uint64_t> numbers_of(const ScalarType& from, std::span<const ScalarType> to, uint32_t random);

}  // namespace caldera::accuracy
