// SPDX-License-Identifier: Apache-2.0
// Zeros in private arrays some of whose elements nobody knows: a compiler that unrolls loops knows the others.
#include "assert.h"

kernel void test_beside_others(global uint *record, global const int *in) {
    const float minus = -(float)in[0];
    float a[8];
    for (int i = 0; i < 4; i++) a[i] = 0;
    for (int i = 4; i < 8; i++) a[i] = in[i];
    ASSERT_BITS(0, a[1] + minus);
    ASSERT_BITS(0x40a00000, a[in[5]] + minus);
    ASSERT_BITS(0, a[in[0] + 2] + minus);
}

kernel void test_one_other(global uint *record, global const int *in) {
    const float minus = -(float)in[0];
    float a[40];
    for (int i = 0; i < 40; i++) a[i] = 0;
    a[5] = in[5];
    ASSERT_BITS(0, a[20] + minus);
    ASSERT_BITS(0x40a00000, a[in[5]] + minus);
}

// The first four turns add to zeros that a compiler knows when it has unrolled the loop.
kernel void test_sums(global uint *record, global const int *in) {
    const float minus = -(float)in[0];
    float a[4] = {0, 0, 0, 0};
    for (int k = 0; k < 60; k++) a[k & 3] += minus;
    ASSERT_BITS(0, a[2]);
    ASSERT_BITS(0, a[in[2]]);
}
