// SPDX-License-Identifier: Apache-2.0
// NEEDS: double
// Denormals of double are numbers to math functions, on devices that flush them in arithmetic too: 1.13.2-37, 1.13.2-39,
// 1.13.2-43, 1.13.2-44, 1.13.2-45, 1.13.2-47, 1.13.2-62.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "assert.h"

// Within so many units in the last place
#define NEAR(expected, ulps, actual) ASSERT(1, abs_diff((ulong)(expected), as_ulong(actual)) <= ulps)
#define DENORMAL(bits) as_double((ulong)(bits) + in[0])

kernel void test_logarithms(global uint *record, global int *in) {
    const double least = DENORMAL(1), small = DENORMAL(512), largest = DENORMAL(0x000fffffffffffff);
    NEAR(0xc0874385446d71c3, 3, log(least)); NEAR(0xc090c80000000000, 3, log2(least)); NEAR(0xc07434e6420f4374, 3, log10(least));
    NEAR(0xc087119d2dafbec1, 3, log(small)); NEAR(0xc090a40000000000, 3, log2(small)); NEAR(0xc074098d1699dca1, 3, log10(small));
    NEAR(0xc086232bdd7abcd2, 3, log(largest)); NEAR(0xc08ff00000000000, 3, log2(largest)); NEAR(0xc0733a7146f72a42, 3, log10(largest));
    ASSERT(1, isnan(log(-least))); ASSERT(1, isnan(log2(-largest))); ASSERT(1, isnan(log10(-small)));
    ASSERT_LONG(0xfff0000000000000, as_ulong(log(DENORMAL(0)))); ASSERT_LONG(0xfff0000000000000, as_ulong(log2(-DENORMAL(0))));
    ASSERT_LONG(0xfff0000000000000, as_ulong(log10(-DENORMAL(0))));
}

kernel void test_exponents(global uint *record, global int *in) {
    for (int shift = 0; shift < 52; shift++) {
        const double x = DENORMAL(1ul << shift);
        int exponent;
        ASSERT_LONG(as_ulong(-0.5), as_ulong(frexp(-x, &exponent)));
        ASSERT(shift - 1073, exponent);
        ASSERT(shift - 1074, ilogb(-x));
        ASSERT_LONG(as_ulong((double)(shift - 1074)), as_ulong(logb(x)));
    }
    int exponent;
    ASSERT_LONG(0x3feffffffffffffe, as_ulong(frexp(DENORMAL(0x000fffffffffffff), &exponent))); ASSERT(-1022, exponent);
    ASSERT_LONG(0x8000000000000000, as_ulong(frexp(-DENORMAL(0), &exponent))); ASSERT(0, exponent);
    ASSERT(FP_ILOGB0, ilogb(DENORMAL(0))); ASSERT_LONG(0xfff0000000000000, as_ulong(logb(DENORMAL(0))));
}

kernel void test_roots(global uint *record, global int *in) {
    // Numbers beyond a float's range
    NEAR(0x3e96a09e667f3bcd, 2, rsqrt(in[2] * 0x1p+42)); NEAR(0x1ff6a09e667f3bcd, 2, rsqrt(in[2] * 0x1p+1022)); NEAR(0x5f30000000000000, 2, rsqrt(in[1] * 0x1p-1000));
    ASSERT_LONG(0x7ff0000000000000, as_ulong(rsqrt(DENORMAL(0)))); ASSERT_LONG(0xfff0000000000000, as_ulong(rsqrt(-DENORMAL(0))));
    ASSERT_LONG(0, as_ulong(rsqrt(DENORMAL(0x7ff0000000000000)))); ASSERT(1, isnan(rsqrt(-in[4] * 1.0)));
    ASSERT(1, isnan(rsqrt(DENORMAL(0x7ff8000000000000))));
    NEAR(0x6136a09e667f3bcd, 2, rsqrt(DENORMAL(512))); NEAR(0x5fe0000000000000, 2, rsqrt(DENORMAL(0x0010000000000000)));
    ASSERT(0, isnan(sqrt(DENORMAL(512)))); ASSERT(1, isnan(rsqrt(-DENORMAL(512))));
}
