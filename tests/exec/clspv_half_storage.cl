// SPDX-License-Identifier: Apache-2.0
// clspv's own functions __clspv_vloada_half2 and __clspv_vloada_half4 load the halves that integers hold, from any address space.
#include "assert.h"

#define PAIR(low, high) ((uint)(high) << 16 | (low))
#define SAME2(expected, actual) ASSERT(1, all(as_int2((float2)expected) == as_int2(actual)))
#define SAME4(expected, actual) ASSERT(1, all(as_int4((float4)expected) == as_int4(actual)))
constant uint kPairs[2] = {PAIR(0x3c00, 0xc000), PAIR(0x0001, 0x7bff)};

kernel void test_pairs(global uint *record, global uint *data) {
    local uint shared[2];
    uint mine[2] = {PAIR(0x4200, 0x3800), PAIR(0x3555, 0xfc00)};
    data[0] = shared[0] = PAIR(0x8000, 0x3400);
    data[1] = shared[1] = PAIR(0x4900, 0xc900);
    const size_t one = data[0] >> 31 | 1;
    SAME2((1.0f, -2.0f), __clspv_vloada_half2(0, kPairs));
    SAME2((0x1p-24f, 65504.0f), __clspv_vloada_half2(one, kPairs));
    SAME2((-0.0f, 0.25f), __clspv_vloada_half2(0, data));
    SAME2((10.0f, -10.0f), __clspv_vloada_half2(one, shared));
    SAME2((3.0f, 0.5f), __clspv_vloada_half2(0, mine));
    SAME2((0.333251953125f, -INFINITY), __clspv_vloada_half2(one, mine));
}

kernel void test_quads(global uint *record, global uint2 *data) {
    const size_t one = record[0] | 1;
    data[0] = (uint2)(PAIR(0x3c00, 0x4000), PAIR(0x4200, 0x4400));
    data[1] = (uint2)(PAIR(0xbc00, 0xc000), PAIR(0xc200, 0xc400));
    uint2 mine = (uint2)(PAIR(0x4500, 0x4600), PAIR(0x4700, 0x4800));
    SAME4((1, 2, 3, 4), __clspv_vloada_half4(0, data));
    SAME4((-1, -2, -3, -4), __clspv_vloada_half4(one, data));
    SAME4((5, 6, 7, 8), __clspv_vloada_half4(0, &mine));
}
