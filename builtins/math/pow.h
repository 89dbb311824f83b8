// SPDX-License-Identifier: Apache-2.0
// log2 as a pair, and powers through it.
#pragma once
#include "float.h"

// log2(x) for positive finite x, to some 32 bits: log(m) = 2 atanh(s) with s = (m - 1) / (m + 1).
static float2 log2_pair(float x) {
    float2 split = split_log(x);
    float2 s = pair_quotient((float2)(split.x, 0.0f), two_sum(2.0f, split.x));
    float z = s.x * s.x;
    float2 log_m = fast_two_sum(2.0f * s.x, 2.0f * s.y + 2.0f * s.x * z * poly_atanh(z));
    float2 scaled = pair_product(log_m, (float2)(1.44269502e+00f, 1.92596303e-08f));
    return pair_add(scaled, split.y);
}

// 2^(y l). An l of zero gives 1 whatever y; y beyond 2^40 would overflow or underflow as 2^40 does.
static float power(float2 l, float2 y) {
    if (fabs(y.x) > 1.0e12f) y = (float2)(with_sign_of(1.0e12f, y.x), 0.0f);
    float2 p = pair_product(l, y);
    return exp2_of_pair(p.x, p.y);
}
