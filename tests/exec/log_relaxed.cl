// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-fast-relaxed-math
// log2 by a device's own instruction, of zero and of denormals, which may be flushed: llvmpipe took both for 2^-127.
#include "assert.h"

kernel void test_log2(global uint *record, global const int *in) {
    float zero = as_float(in[0]), least = as_float(in[1]), denormal = as_float(in[1] << 22);
    ASSERT(1, log2(zero) == -INFINITY);
    ASSERT(1, log2(least) == -149 || log2(least) == -INFINITY);
    ASSERT(1, log2(denormal) == -127 || log2(denormal) == -INFINITY);
}
