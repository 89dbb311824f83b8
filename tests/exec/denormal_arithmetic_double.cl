// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// NEEDS: double
// NEEDS: denormals of double
// Quotients, roots, roundings and the order of doubles, where they or their operands are denormal; divisions_double.cl and
// denormals_double.cl have the others.
// OPTIONS: -cl-std=CL1.2
// RUN: global=64 local=64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "quotients_double.h"

kernel void test_quotients(global uint *record, global double *numbers) {
    volatile global double *in = numbers + 2 * get_local_id(0);
    // Denormal quotients, and what is between two of them
    QUOTIENT(1.0e-300, 3.0e10) QUOTIENT(0x1.0000000000001p-1022, 2.0) QUOTIENT(0x1.0000000000003p-1022, 2.0)
    QUOTIENT(0x1.8000000000001p-1020, 0x1p53) QUOTIENT(0x1p-1022, 0x1p53) QUOTIENT(0x1.0000000000001p-1022, 0x1p53)
    QUOTIENT(0x1.fffffffffffffp-1023, 3.0) QUOTIENT(0x1p-1000, 0x1.0000000000001p74) QUOTIENT(0x1.8p-1000, 0x1p74)
    QUOTIENT(0x1p-1000, 0x1.fffffffffffffp73) QUOTIENT(0x1.5555555555555p-1022, 3.0)
    // Denormal operands
    OF_VARIABLES(0x1p-1074, 3.0) OF_VARIABLES(0x1p-1074, 2.0) OF_VARIABLES(0x3p-1074, 2.0)
    OF_VARIABLES(0x1p-1074, 0x1p-1074)
    OF_VARIABLES(0x1.23456789p-1040, 0x1.3579bp-1050) OF_VARIABLES(1.0, 0x1p-1074)
    OF_VARIABLES(1.0e-20, 0x3p-1074)
    OF_VARIABLES(0x0.fffffffffffffp-1022, 0x1.fffffffffffffp1023)
    OF_VARIABLES(0x1.fffffffffffffp1023, 0x0.fffffffffffffp-1022)
    OF_VARIABLES(0x1p-1074, INFINITY)
}

#define NEAR(expected, ulps, actual) ASSERT(1, abs_diff((ulong)(expected), as_ulong(actual)) <= ulps)
#define DENORMAL(bits) as_double((ulong)(bits) + in[0])
kernel void test_roots(global uint *record, global int *in) {
    NEAR(0x6180000000000000, 2, rsqrt(DENORMAL(1))); NEAR(0x6136a09e667f3bcd, 2, rsqrt(DENORMAL(512)));
    NEAR(0x5fee990cdad56ccf, 1, rsqrt(DENORMAL(0x00045ffffffffc00))); NEAR(0x5fe0000000000001, 2, rsqrt(DENORMAL(0x000fffffffffffff)));
    ASSERT_LONG(0x1ff0bbb307aca835, as_ulong(sqrt(DENORMAL(0x00045ffffffffc00)))); ASSERT_LONG(0x1e60000000000000, as_ulong(sqrt(DENORMAL(1))));
    ASSERT(1, isnan(rsqrt(-DENORMAL(512))));
}
kernel void test_rounding(global uint *record, global int *in) {
    for (int shift = 0; shift < 52; shift += 17) {
        const double x = DENORMAL(1ul << shift);
        ASSERT_LONG(0x3ff0000000000000, as_ulong(ceil(x))); ASSERT_LONG(0x8000000000000000, as_ulong(ceil(-x)));
        ASSERT_LONG(0, as_ulong(floor(x))); ASSERT_LONG(0xbff0000000000000, as_ulong(floor(-x)));
        ASSERT_LONG(0, as_ulong(trunc(x))); ASSERT_LONG(0x8000000000000000, as_ulong(rint(-x))); ASSERT_LONG(0, as_ulong(round(x)));
        double whole;
        ASSERT_LONG(as_ulong(x), as_ulong(fract(x, &whole))); ASSERT_LONG(as_ulong(-x), as_ulong(modf(-x, &whole)));
    }
}
kernel void test_order(global uint *record, global int *in) {
    const double least = DENORMAL(1), more = DENORMAL(0x000fffffffffffff), zero = in[0];
    ASSERT(1, zero < least && least < more && !(least == zero) && -least < zero && -more < -least && least != more && !(more <= least));
    ASSERT_LONG(1, as_ulong(fmin(least, more))); ASSERT_LONG(0x000fffffffffffff, as_ulong(fmax(least, more)));
    ASSERT_LONG(1, as_ulong(fmax(zero, least))); ASSERT_LONG(0x8000000000000001, as_ulong(fmin(zero, -least)));
}
