// SPDX-License-Identifier: Apache-2.0
// The functions that are measured, with what is exact and how far from it a device may be.
#pragma once

#include <span>
#include <string>

#include "number.h"

namespace caldera::accuracy {

/// A function's arguments; unused ones are 0.
struct Inputs {
    const Format& format;
    Number x = {}, y = {}, z = {};
    int n = 0;
};

/// How far a result may be from the exact one.
struct Bound {
    enum class Kind {
        Ulps,      ///< `ulps` of the exact result
        Absolute,  ///< at most 2^`exponent` away for |x| <= `limit`, and anything for larger ones
        Log,       ///< absolute for x from 1/2 to 2, `ulps` elsewhere
        Exp,       ///< `ulps` + floor(|2x|) ulps
        None,      ///< not bounded: measured all the same
    };
    Kind kind = Kind::None;
    double ulps = 0;
    int exponent = 0;
    double limit = 0;
};

/// Arguments with which mistakes are likely; the function is tried with them in addition to the common ones.
enum class Focus {
    None,
    QuarterTurns,  ///< the multiples of pi/2
    Halves,        ///< the multiples of 1/2
    NearOne,
    Exponents,  ///< from where 2^x vanishes to where it overflows, and so for other bases
    Gamma,
    Powers,      ///< x^y that is about to overflow or vanish
    Quotients,   ///< x near a multiple of y
    Magnitudes,  ///< |x| near |y|
    Scales,      ///< n about the range of exponents
    Roots,       ///< small n
    Sums,        ///< xy + z that cancels, is about to vanish, or lies between two numbers
};

struct Function {
    const char* name;
    const char*
        statement;  ///< OpenCL C that computes `r` (of type T) from x, y, z (of type T) and n (of type N)
    const char* arguments;  ///< which: "x", "xy", "xyz" or "xn"
    /// The exact result; false where any result will do.
    bool (*reference)(mpfr_ptr result, const Inputs& inputs);
    double float_ulps, double_ulps, half_ulps;  ///< OpenCL C 3.0 7.4; infinite where there is no bound
    Bound relaxed;                              ///< of float with -cl-fast-relaxed-math, where it differs
    Focus focus;
    bool any_zero;     ///< the sign of a zero is left open
    bool is_division;  ///< -cl-fp32-correctly-rounded-divide-sqrt is about it

    bool has(char argument) const { return std::string(arguments).find(argument) != std::string::npos; }
    Bound bound(const Format& format, bool relaxed_math, bool rounded_division) const;
};

std::span<const Function> functions();

}  // namespace caldera::accuracy
