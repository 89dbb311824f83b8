// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// fma rounds once in double too: 1.13.2-31.
// NEEDS: double
#include "assert.h"
kernel void test_fma_double(global uint *record, global int *in) {
    double d = in[1] * 0x1p-27, b = 1.0 + d;
    ASSERT_LONG(0x3c90000000000000ul, as_ulong(fma(b, b, -(1.0 + 2.0 * d))));
}
