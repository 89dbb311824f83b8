// SPDX-License-Identifier: Apache-2.0
// Zeros in the rows of a matrix that a large function receives by value: a zero of the caller's is no constant there
// (keep_zero_operands selected between a number and a row, which is no valid module).
#include "assert.h"

#define MIX(shift, factor) h = (h ^ (h >> shift)) * factor + g, g = (g ^ (g >> shift)) * factor + h

float mixed(float m[2][3], float x, uint n) {
    uint h = n ^ as_uint(m[1][0]), g = n * 3 + 1;
    MIX(16, 0x85ebca6b), MIX(15, 0x846ca68b), MIX(13, 0xc2b2ae35), MIX(12, 0x7feb352d), MIX(11, 0x9e3779b1);
    MIX(14, 0x27d4eb2f), MIX(15, 0x165667b1), MIX(16, 0x85ebca77), MIX(10, 0x2c1b3c6d), MIX(17, 0x297a2d39);
    MIX(13, 0xcc9e2d51), MIX(12, 0x1b873593), MIX(11, 0xe6546b65), MIX(16, 0x52dce729), MIX(14, 0x38495ab5);
    MIX(15, 0x38495ab5), MIX(13, 0x9e3779b9), MIX(17, 0x3c6ef372), MIX(12, 0xdaa66d2b), MIX(16, 0x78dde6e5);
    m[1][1] = h % 16 + g % 16;
    m[1][2] = m[0][1] * x;
    return m[0][0] + x;
}

kernel void test_rows(global uint *record, global const int *in) {
    const float x = in[0], minus = -x;
    float zeros[2][3], found[2][3], ones[2][3];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) zeros[i][j] = 0, ones[i][j] = 1, found[i][j] = j - j;
    ASSERT_BITS(0, mixed(zeros, minus, in[0]));
    ASSERT_BITS(0x80000000, zeros[1][2]);
    ASSERT_BITS(0, mixed(found, minus, in[0] + 1));
    ASSERT_BITS(0x80000000, found[1][2]);
    ASSERT_BITS(0x3f800000, mixed(ones, minus, in[0] + 2));
    ASSERT_BITS(0x80000000, ones[1][2]);
}
