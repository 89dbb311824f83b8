// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms descriptors
// Comparisons of values that come from one place by addresses that are computed in several ways: a compiler that finds
// it knows their results, and took x for x + 0, or 0 for 0 * x, with what was made of them.
#include "assert.h"

kernel void test_components(global uint *record, global const int *in) {
    const float minus_one = -1.0f - in[0];
    const int4 a = vload4(0, in);
    int4 b = a;
    b.w = in[9];
    const float4 greater = convert_float4(a > b) * minus_one, difference = convert_float4(a - b) * minus_one;
    ASSERT_BITS(0x80000000, greater.x);
    ASSERT_BITS(0x80000000, difference.y);
    ASSERT_BITS(0x40c00000, difference.w);
}

kernel void test_casts(global uint *record, global const int *in) {
    const float minus_one = -1.0f - in[0];
    const size_t i = in[2];
    global const int *from = in + 5 * i;
    global const int *other = (global const int *)((ulong)in + 20 * i + 12);
    ASSERT_BITS(0x80000000, (float)(from[3] > other[0]) * minus_one);
    ASSERT_BITS(0x80000000, (float)(from[4] - other[1]) * minus_one);
    ASSERT_BITS(0xbf800000, (float)(from[4] > other[0]) * minus_one);
}

kernel void test_indices(global uint *record, global const int *in) {
    const float minus_one = -1.0f - in[0];
    const size_t i = in[2];
    const int j = in[2];
    const int4 x = vload4(i, in), y = vload4(0, in + 4 * i);
    const int3 three = vload3(1, in + i), same = vload3(0, in + 3 + i);
    ASSERT_BITS(0x80000000, (float)(x.y > y.y) * minus_one);
    ASSERT_BITS(0x80000000, convert_float3(three - same).z * minus_one);
    ASSERT_BITS(0x80000000, (float)(in[j + 3] > (in + 3)[j]) * minus_one);
    ASSERT_BITS(0x80000000, (float)(in[3 + (j << 1)] > (in + 3)[j * 2]) * minus_one);
    ASSERT_BITS(0x80000000, (float)((j + 3) * 4 - 12 - j * 4) * minus_one);
}

kernel void test_stored(global uint *record, global const int *in, global int *out) {
    local int values[64];
    const float minus_one = -1.0f - in[0];
    const int i = in[1];
    values[i] = in[3];
    values[i + 1] = in[3];
    ASSERT_BITS(0x80000000, (float)(values[i + 1] > (values + 1)[i]) * minus_one);
    ASSERT_BITS(0x80000000, (float)(values[i + 1] > in[3]) * minus_one);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT_BITS(0x80000000, (float)(values[i + 1] > values[1 + i]) * minus_one);
    out[i + 5] = in[4];
    ASSERT_BITS(0x80000000, (float)((out + i)[5] > in[4]) * minus_one);
    (out + 5)[i] = in[6];
    ASSERT_BITS(0xc0000000, (float)(out[5 + i] - in[4]) * minus_one);
}
