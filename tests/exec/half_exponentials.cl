// SPDX-License-Identifier: Apache-2.0
// half_exp(), half_exp2() and half_exp10() keep NaN (OpenCL C 3.0 7.5.1), and are within 8192 ulp.
#include "assert.h"

kernel void test_nan(global uint *record, global int *in) {
    const float nan = as_float(0x7fc00000 + in[0]), negative = as_float(0xff800100 + in[0]);
    ASSERT(1, isnan(half_exp(nan)));
    ASSERT(1, isnan(half_exp2(nan)));
    ASSERT(1, isnan(half_exp10(nan)));
    ASSERT(1, isnan(half_exp(negative)));
    ASSERT(1, isnan(half_exp2(negative)));
    ASSERT(1, isnan(half_exp10(negative)));
    ASSERT(1, all(isnan(half_exp((float4)(nan, negative, nan, nan)))));
}

#define NEAR(value, right) (fabs((value) - (right)) <= 8192 * 0x1p-24f * (right))

kernel void test_values(global uint *record, global int *in) {
    const float x = 1.5f + in[0];
    ASSERT(1, NEAR(half_exp(x), 4.48168907f));
    ASSERT(1, NEAR(half_exp2(x), 2.82842712f));
    ASSERT(1, NEAR(half_exp10(x), 31.6227766f));
    ASSERT(1, half_exp(-INFINITY + in[0]) == 0.0f);
    ASSERT(1, half_exp2(INFINITY + in[0]) == INFINITY);
}
