// SPDX-License-Identifier: Apache-2.0
// Zeros that a large function makes of what it is passed: a compiler that inlines it knows them for some calls, where
// numbers are passed, or a value twice.
#include "assert.h"

#define MIX(shift, factor) h = (h ^ (h >> shift)) * factor + g, g = (g ^ (g >> shift)) * factor + h

float mixed(float a, float b, float x, uint n) {
    uint h = n ^ as_uint(x), g = n * 3 + 1;
    MIX(16, 0x85ebca6b), MIX(15, 0x846ca68b), MIX(13, 0xc2b2ae35), MIX(12, 0x7feb352d), MIX(11, 0x9e3779b1);
    MIX(14, 0x27d4eb2f), MIX(15, 0x165667b1), MIX(16, 0x85ebca77), MIX(10, 0x2c1b3c6d), MIX(17, 0x297a2d39);
    MIX(13, 0xcc9e2d51), MIX(12, 0x1b873593), MIX(11, 0xe6546b65), MIX(16, 0x52dce729), MIX(14, 0x38495ab5);
    MIX(15, 0x38495ab5), MIX(13, 0x9e3779b9), MIX(17, 0x3c6ef372), MIX(12, 0xdaa66d2b), MIX(16, 0x78dde6e5);
    if (h == 7) return g;
    return (float)(a > b) * x;
}

kernel void test_numbers(global uint *record, global const int *in) {
    const float minus = -1.0f - in[0];
    ASSERT_BITS(0x80000000, mixed(3, 5, minus, in[4]));
    ASSERT_BITS(0x80000000, mixed(3, in[5], minus, in[4]));
    ASSERT_BITS(0xbf800000, mixed(5, 3, minus, in[4]));
}

kernel void test_one_value(global uint *record, global const int *in) {
    const float minus = -1.0f - in[0];
    const size_t k = in[1];
    const float x = in[k + 3], y = (in + 3)[k];
    ASSERT_BITS(0x80000000, mixed(x, y, minus, in[4]));
    ASSERT_BITS(0x80000000, mixed(x, x, minus, in[4]));
    ASSERT_BITS(0xbf800000, mixed(in[5], x, minus, in[4]));
}
