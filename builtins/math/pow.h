// SPDX-License-Identifier: Apache-2.0
// log2 as a pair, and powers through it.
#pragma once
#include "real.h"

// log2(1 + f), some 4 (float) or 8 bits (double) more exact than the format
static real2 log2_1p_pair(real f) {
#if FRACTION_BITS == 23
    real square = f * f, high = mad(-0.5f, square, f);
    real low = mad(-0.5f, product_error(f, f, square), (f - high) - 0.5f * square);
    real2 log_m = (real2)(high, mad(square * f, poly_log3(f), low));
#else  // 2 atanh(s) with s = f / (2 + f): the cube in full, the rest beyond it
    real2 s = pair_quotient((real2)(f, 0.0f), two_sum(2.0f, f));
    real z = s.x * s.x;
    real2 cube = pair_product(pair_product(s, s), s);
    real2 third = pair_product(cube, (real2)(3.33333333333333315e-01, 1.85037170770859413e-17));
    real2 sum = fast_two_sum(s.x, third.x);
    real2 log_m = fast_two_sum(2.0 * sum.x, 2.0 * (sum.y + (third.y + s.y) + cube.x * z * poly_atanh2(z)));
#endif
    real high_part = log_m.x * LOG2_E_HIGH;
    return (real2)(high_part, product_error(log_m.x, LOG2_E_HIGH, high_part) + mad(log_m.x, LOG2_E_LOW, log_m.y * LOG2_E_HIGH));
}

// x, positive and finite, as y 2^e: (y, e)
static real2 any_normal(real x) {
    if (AS_BITS(x) >= HIDDEN_BIT) return (real2)(x, 0.0f);
    return (real2)((real)AS_BITS(x), 1 - EXPONENT_BIAS - FRACTION_BITS);
}

// log2(x 2^more) for positive normal x
static real2 log2_pair(real x, real more) {
    real2 split = split_log(x, more), log_m = log2_1p_pair(split.x);
    real2 sum = fast_two_sum(split.y, log_m.x);
    return (real2)(sum.x, sum.y + log_m.y);
}

// 2^(y l) below 2^(10^9)
static real power(real2 l, real2 y) {
    real high = y.x * l.x;
    return exp2_of_pair(high, product_error(y.x, l.x, high) + mad(y.x, l.y, y.y * l.x));
}
