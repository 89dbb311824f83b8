// SPDX-License-Identifier: Apache-2.0
// Common and geometric functions: 1.13.4-1, 1.13.5-1.
#include "assert.h"
kernel void test_common(global uint *record, global int *in) {
    float x = in[3];
    ASSERT_BITS(0x40000000, clamp(x, 0.0f, 2.0f)); ASSERT_BITS(0x40600000, mix(x, 4.0f, 0.5f)); ASSERT_BITS(0x3f800000, step(2.0f, x)); ASSERT_BITS(0, step(4.0f, x));
    ASSERT_BITS(0x3f000000, smoothstep(2.0f, 4.0f, x)); ASSERT_BITS(0xbf800000, sign(-x)); ASSERT_BITS(0, sign(x - 3.0f));
    float4 v = clamp((float4)(x, -1, 9, 0.5f), 0.0f, 1.0f); ASSERT_BITS(0x3f800000, v.z); ASSERT_BITS(0x3f000000, v.w);
    ASSERT_BITS(0x40400000, max(x, -x)); ASSERT_BITS(0x3f800000, min((float2)(x, 1), (float2)(x)).y);
}
kernel void test_geometric(global uint *record, global int *in) {
    float3 a = (float3)(in[1], in[2], in[3]), b = (float3)(in[4], in[5], in[6]);
    ASSERT_BITS(0x42000000, dot(a, b));
    float3 c = cross(a, b); ASSERT_BITS(0xc0400000, c.x); ASSERT_BITS(0x40c00000, c.y); ASSERT_BITS(0xc0400000, c.z);
    float2 p = (float2)(in[3], in[4]);
    ASSERT_BITS(0x40a00000, length(p)); ASSERT_BITS(0x40a00000, distance(p, (float2)(0.0f))); ASSERT_BITS(0x40400000, dot(3.0f, (float)in[1]));
    // Near the largest root of a sum of squares, and beside it what would be denormal on the way
    float2 n = normalize((float2)(0x1p+62f, 0x1.234566p-62f) * (float)in[1]); ASSERT_BITS(0x3f800000, n.x); ASSERT(1, abs_diff(as_uint(n.y), as_uint(0x1.234566p-124f)) <= 4);
    ASSERT(1, fabs(length(normalize(a)) - 1.0f) < 1e-6f); ASSERT(1, fabs(fast_length(p) - 5.0f) < 1e-3f);
}
