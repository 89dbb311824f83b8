// SPDX-License-Identifier: Apache-2.0
// 1 / x, sqrt and rsqrt of doubles, faster than devices' own where mad() is fused.
#include "double.h"

// They start from 1 / x and 1 / sqrt(x) of a float near x, for x from 2^-125 to 2^125. The float is x's upper half, made by its bits,
// which is faster than two conversions. The upper word of the guess, whose lower one is zero:
static uint inverse_guess(double x) {  // to 18 bits, never too small
    uint upper = upper_word(as_ulong(x));
    float r = 1.0f / as_float((upper << 3) + 0x3ffffff0u);
    return ((as_uint(r) >> 3) + 0x38000000u) | (upper & 0x80000000u);
}
static uint inverse_root_guess(double x) {  // to 19 bits
    return (as_uint(rsqrt(as_float((upper_word(as_ulong(x)) << 3) + 0x40000004u))) >> 3) + 0x38000000u;
}
static double from_upper(uint word) { return as_double((ulong)word << 32); }

// Whether a guess was near, that is x in the range
static bool is_near(double error) { return is_below(error, 0x1p-17); }
// Whether the root of x may be guessed: x is positive and in the range
static bool is_in_range(double x) { return upper_word(as_ulong(x)) - 0x38200000u < 0x0fb00000u; }

// Correctly rounded (P. Markstein, 1990) but for 2 - 2^-52, where the step before the last has to round up: the guess sees to it.
double LIBRARY reciprocal_rounded(double x) {
    double r = from_upper(inverse_guess(x)), error = mad(-x, r, 1.0);
    r = mad(r, mad(error, error, error), r);
    r = mad(r, mad(-x, r, 1.0), r);
    if (!is_near(error)) r = 1.0 / x;
    return r;
}

// Correctly rounded: R. Goldschmidt's step (1964) for the root and half its inverse, and one of P. Markstein's
static double root_in_range(double x) {
    uint guess = inverse_root_guess(x);
    double r = from_upper(guess), half_inverse = from_upper(guess - 0x00100000u);
    double s = x * r, error = mad(-s, half_inverse, 0.5), step = mad(1.5 * error, error, error);
    s = mad(s, step, s);
    half_inverse = mad(half_inverse, step, half_inverse);
    return mad(mad(-s, s, x), half_inverse, s);
}

// Of x outside the range: x = y 4^half with 1 <= y < 4
static double root_of_any(double x) {
    bool is_denormal = (as_ulong(x) >> FRACTION_BITS) == 0;
    double normal = is_denormal ? x * 0x1p54 : x;
    int half_exponent = ((int)(as_ulong(normal) >> FRACTION_BITS) - EXPONENT_BIAS) >> 1;
    double y = as_double(as_ulong(normal) - ((ulong)(long)half_exponent << (FRACTION_BITS + 1)));
    double value = root_in_range(y) * power_of_two(half_exponent - (is_denormal ? 27 : 0));
    if (!(x > 0.0)) value = NAN_VALUE;
    return is_zero(x) || x == INF_VALUE ? x : value;
}

double LIBRARY sqrt_rounded(double x) {
    double value = root_in_range(x);
    if (!is_in_range(x)) value = root_of_any(x);
    return value;
}

// At most 2 ulp
double LIBRARY reciprocal_root(double x) {
    double r = from_upper(inverse_root_guess(x)), error = mad(-x * r, r, 1.0);
    double value = mad(r * error, mad(error, 0.375, 0.5), r);
    if (!is_in_range(x)) value = 1.0 / sqrt(x);
    return value;
}
