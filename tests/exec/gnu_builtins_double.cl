// SPDX-License-Identifier: Apache-2.0
// NEEDS: double
// clang's __builtin_ functions of doubles: classes, extremes, roundings.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "assert.h"
#define D(bits) as_double((ulong)(bits) + in[0])

kernel void test_classes(global uint *record, global int *in) {
    const double x[] = {D(0x7ff0000000000001), D(0x7ff8000000000000), D(0xfff0000000000000), -1.5 - in[0], D(0x8000000000000001),
                        D(0x8000000000000000), D(0), D(0x000fffffffffffff), D(0x0010000000000000), D(0x7ff0000000000000)};
    for (int i = 0; i < 10; i++) {
        const int m = 1 << i;
        ASSERT((m & 3) != 0, __builtin_isfpclass(x[i], 3)); ASSERT(m == 1, __builtin_issignaling(x[i])); ASSERT(m == 2, __builtin_isfpclass(x[i], 2));
        ASSERT((m & 0x60) != 0, __builtin_iszero(x[i])); ASSERT((m & 0x90) != 0, __builtin_issubnormal(x[i])); ASSERT(m == 128, __builtin_isfpclass(x[i], 128));
        ASSERT(m == 4 ? -1 : m == 512, __builtin_isinf_sign(x[i])); ASSERT((m & 0x108) != 0, __builtin_isfpclass(x[i], 0x108));
        ASSERT(m < 4 ? 10 : m == 4 || m == 512 ? 20 : m == 8 || m == 256 ? 30 : m == 16 || m == 128 ? 40 : 50, __builtin_fpclassify(10, 20, 30, 40, 50, x[i]));
    }
    const long2 lanes = __builtin_isfpclass((double2)(x[1], x[3]), 3);
    ASSERT_LONG(1, lanes.x); ASSERT_LONG(0, lanes.y);
    ASSERT_LONG(0x7ff8000000000005, as_ulong(__builtin_nan("5"))); ASSERT_LONG(0x7ff4000000000000, as_ulong(__builtin_nans("")));
}

kernel void test_values(global uint *record, global int *in) {
    const double zero = in[0], nan = D(0x7ff8000000000000), three = in[3];
    ASSERT_LONG(0, as_ulong(__builtin_elementwise_maximum(-zero, zero))); ASSERT_LONG(1ul << 63, as_ulong(__builtin_fminimum_num(zero, -zero)));
    ASSERT(1, isnan(__builtin_elementwise_minimum(three, nan))); ASSERT(3, __builtin_elementwise_maximumnum(nan, three)); ASSERT(3, __builtin_canonicalize(three));
    ASSERT_LONG(1l << 40, __builtin_lrint(in[1] * 0x1p40)); ASSERT_LONG(-(1l << 40) - 1, __builtin_llround(in[1] * -0x1p40 - 0.5)); ASSERT_LONG(2, __builtin_lrint(in[1] * 2.5));
    ASSERT(8, __builtin_powi((double)in[2], in[3])); ASSERT(-3, (int)__builtin_ilogb(in[1] * 0.125)); ASSERT(12, __builtin_scalbln(three, (long)in[2]));
    int quotient;
    ASSERT_LONG(-1, (long)__builtin_remquo((double)in[11], 4.0, &quotient)); ASSERT(3, quotient & 7);
    ASSERT(3, __builtin_roundeven(in[1] * 2.75)); ASSERT(3, __builtin_reduce_maximum((double2)(three, zero)));
}
