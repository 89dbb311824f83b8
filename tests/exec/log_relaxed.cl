// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-fast-relaxed-math
// log2 by a device's own instruction, of zero and of denormals, which may be flushed: llvmpipe took both for 2^-127.
#include "assert.h"

kernel void test_log2(global uint *record, global const int *in) {
    float zero = as_float(in[0]), least = as_float(in[1]), denormal = as_float(in[1] << 22);
    ASSERT(1, log2(zero) == -INFINITY);
    ASSERT(1, log2(least) == -149 || log2(least) == -INFINITY);
    ASSERT(1, log2(denormal) == -127 || log2(denormal) == -INFINITY);
}

// log10 within 3 ulp: here of a number of which SwiftShader has log2 too far off.
kernel void test_log10(global uint *record, global const int *in) {
    const float far = as_float(0x3ed17c00 + in[0]);
    ASSERT(1, fabs(log10(far) + 0x1.8d6ee4p-2f) < 2.75f * 0x1p-25f);
}

// half_ functions keep 8192 ulp in relaxed math, also near 1 and near multiples of pi.
#define NEAR(expected, value) ASSERT(1, fabs((value) / (expected) - 1) <= 8192 * 0x1p-23f)
kernel void test_halves(global uint *record, global const int *in) {
    const float below = as_float(0x3f7fffff + in[0]), half_turn = as_float(0x40490fdb + in[0]);
    NEAR(-0x1.000002p-24f, half_log(below));
    NEAR(-0x1.715478p-24f, half_log2(below));
    NEAR(-0x1.bcb7b6p-26f, half_log10(below));
    NEAR(0.60653066f, half_powr(below, 0x1p23f));
    NEAR(-0x1.777a5cp-24f, half_sin(half_turn));
    NEAR(0x1.777a5cp-24f, half_tan(half_turn));
    NEAR(-0x1.777a5cp-25f, half_cos(half_turn / 2));
}
