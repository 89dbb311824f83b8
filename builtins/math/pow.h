// SPDX-License-Identifier: Apache-2.0
// log2 as a pair, and powers through it.
#pragma once
#include "real.h"

// log2(x) for positive finite x, to some 8 bits more than the format has: log(m) = 2 atanh(s) with s = (m - 1) / (m + 1).
static real2 log2_pair(real x) {
    real2 split = split_log(x);
    real2 s = pair_quotient((real2)(split.x, 0.0f), two_sum(2.0f, split.x));
    real z = s.x * s.x;
#if FRACTION_BITS == 23
    real2 log_m = fast_two_sum(2.0f * s.x, 2.0f * s.y + 2.0f * s.x * z * poly_atanh(z));
#else  // exponents have three bits more: the cube in full, the rest beyond it
    real2 cube = pair_product(pair_product(s, s), s);
    real2 third = pair_product(cube, (real2)(3.33333333333333315e-01, 1.85037170770859413e-17));
    real2 sum = fast_two_sum(s.x, third.x);
    real low = sum.y + (third.y + s.y) + cube.x * z * poly_atanh2(z);
    real2 log_m = fast_two_sum(2.0 * sum.x, 2.0 * low);
#endif
    real2 scaled = pair_product(log_m, (real2)(LOG2_E_HIGH, LOG2_E_LOW));
    return pair_add(scaled, split.y);
}

// 2^(y l). An l of zero gives 1 whatever y; y beyond the limit would overflow or underflow as the limit does.
static real power(real2 l, real2 y) {
    if (fabs(y.x) > POWER_LIMIT) y = (real2)(with_sign_of(POWER_LIMIT, y.x), 0.0f);
    real2 p = pair_product(l, y);
    return exp2_of_pair(p.x, p.y);
}
