// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-fast-relaxed-math
// sinpi, cospi and tanpi of large numbers are those of the rest of a turn, and finite.
#include "assert.h"

#define NEAR(expected, value) ASSERT(1, fabs((value) - (expected)) <= 0x1p-10f)

kernel void test_turns(global uint *record, global int *in) {
    const float zero = in[0];
    NEAR(1.0f, cospi(3.4e38f + zero));
    NEAR(0.0f, sinpi(-3.4e38f + zero));
    NEAR(0.0f, tanpi(3.4e38f + zero));
    NEAR(-1.0f, cospi(16777215.0f + zero));
    NEAR(1.0f, sinpi(4194304.5f + zero));
    NEAR(0.70710678f, sinpi(100000.25f + zero));
    NEAR(-0.70710678f, cospi(-100000.75f + zero));
    NEAR(1.0f, tanpi(100000.25f + zero));
    NEAR(0.5f, sinpi(0x1.555556p-3f + zero));
}
