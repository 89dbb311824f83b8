// SPDX-License-Identifier: Apache-2.0
// sqrt and rsqrt of doubles, faster than devices' own.
#include "double.h"

// x is positive, from 2^-125 to 2^126. Its upper half is cut: beyond it all would be as slow as conversions.
static bool is_in_float_range(double x) { return (uint)(as_ulong(x) >> 32) - 0x38200000u < 0x0fb00000u; }

// 1 / sqrt(x) from that of a float near it, made by its bits, which is faster than two conversions
static double inverse_root_by_bits(double x) {
    float guess = rsqrt(as_float(((uint)(as_ulong(x) >> 32) << 3) + 0x40000004u));
    double r = as_double((ulong)((as_uint(guess) >> 3) + 0x38000000u) << 32), e = mad(-x * r, r, 1.0);
    return mad(r * e, mad(e, 0.375, 0.5), r);
}

// Correctly rounded where mad() is fused, since what the last step leaves out is a square (P. Markstein, 1990)
static double root_by_bits(double x) {
    double r = inverse_root_by_bits(x), s = x * r;
    return mad(mad(-s, s, x), 0.5 * r, s);
}

// Of x outside that range: x = y 4^half with 1 <= y < 4
static double root_of_any(double x) {
    bool is_denormal = (as_ulong(x) >> FRACTION_BITS) == 0;
    double normal = is_denormal ? x * 0x1p54 : x;
    int half_exponent = ((int)(as_ulong(normal) >> FRACTION_BITS) - EXPONENT_BIAS) >> 1;
    double y = as_double(as_ulong(normal) - ((ulong)(long)half_exponent << (FRACTION_BITS + 1)));
    double value = root_by_bits(y) * power_of_two(half_exponent - (is_denormal ? 27 : 0));
    if (!(x > 0.0)) value = NAN_VALUE;
    return is_zero(x) || x == INF_VALUE ? x : value;
}

double LIBRARY sqrt_rounded(double x) {
    double value = root_by_bits(x);
    if (!is_in_float_range(x)) value = root_of_any(x);
    return value;
}

// At most 2 ulp
double LIBRARY reciprocal_root(double x) {
    double value = inverse_root_by_bits(x);
    if (!is_in_float_range(x)) value = 1.0 / sqrt(x);
    return value;
}
