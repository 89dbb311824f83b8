// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-denorms-are-zero
// Constants that are denormal are zeros of their sign in sums, products and quotients, whether the device flushes what it computes
// or not.
#include "assert.h"

kernel void test_sums(global uint *record, global const int *in) {
    const float zero = in[0], one = in[1];
    ASSERT_BITS(0, zero + as_float(64));
    ASSERT_BITS(0, as_float(0x007fffff) + zero);
    ASSERT_BITS(0x80000000, as_float(0x80000001) - zero);
    ASSERT_BITS(0, zero - as_float(1));
    ASSERT_BITS(0x3f800000, one + as_float(64));
}

kernel void test_products(global uint *record, global const int *in) {
    const float one = in[1], large = 0x1p+126f * in[1];
    ASSERT_BITS(0, large * as_float(64));
    ASSERT_BITS(0x80000000, large * as_float(0x80000040));
    ASSERT_BITS(0, as_float(64) / as_float(0x00800000 * in[1]));
    ASSERT_BITS(0x7f800000, one / as_float(64));
}

kernel void test_vectors(global uint *record, global const int *in) {
    const float4 x = (float4)(0x1p+126f * in[1]) * (float4)(as_float(64), 2, as_float(0x80000001), 0);
    ASSERT_BITS(0, x.x);
    ASSERT_BITS(0x7f000000, x.y);
    ASSERT_BITS(0x80000000, x.z);
    ASSERT_BITS(0, x.w);
}

// Values that no operation computes stay as they are.
kernel void test_bits(global uint *record, global const int *in) {
    const float choice[2] = {as_float(64), as_float(0x80000001)};
    ASSERT(64, as_uint(choice[in[0]]));
    ASSERT(0x80000001, as_uint(choice[in[1]]));
}
