// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// NEEDS: double
// 64-bit integers from doubles; devices without the former have the latter's arithmetic for them.
#include "assert.h"

kernel void test_conversions(global uint *record, global int *in) {
    ASSERT_LONG(-3, (long)((double)in[3] * -1.25)); ASSERT_LONG(-6442450944, (long)((double)in[3] * -0x1p31));
    ASSERT_LONG(0x300000001ul, (ulong)((double)in[3] * 0x1p32 + in[1])); ASSERT_LONG(0, (long)(in[1] * -0.5));
}
