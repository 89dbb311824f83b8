// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// fma rounds once, in float, whatever the device's own does: 1.13.2-31.
#include "assert.h"
kernel void test_fma(global uint *record, global int *in) {
    float e = in[1] * 0x1p-12f, a = 1.0f + e;
    ASSERT_BITS(0x33800000, fma(a, a, -(1.0f + 2.0f * e)));
    ASSERT_BITS(0x00000000, fma(a, in[0], 0.0f));
    ASSERT_BITS(0x7f800000, fma(as_float(0x7f7fffff + in[0]), 2.0f, 1.0f));
    ASSERT_BITS(0x40e00000, fma((float3)(in[2]), (float3)(in[3]), (float3)(in[1])).z);
}
