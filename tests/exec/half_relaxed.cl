// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-fast-relaxed-math
// NEEDS: half
// Relaxed math relaxes the bounds of single precision alone (OpenCL C 3.0 7.4): halfs keep those of cl_khr_fp16.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "assert.h"

#define NEAR(expected, ulp, value) ASSERT(1, fabs((float)(value) - (expected)) <= 2.0f * (ulp))

kernel void test_turns(global uint *record, global int *in) {
    const half zero = in[0];
    ASSERT(1, fabs(sinpi(32767.0h + zero)) == 0.0h);
    ASSERT(1, fabs(cospi(32767.0h + zero)) == 1.0h);
    ASSERT(1, sinpi(1000.5h + zero) == 1.0h);
    ASSERT(1, fabs(cospi(1000.5h + zero)) == 0.0h);
    ASSERT(1, tanpi(500.25h + zero) == 1.0h);
}

kernel void test_small(global uint *record, global int *in) {
    const half x = as_half((ushort)(0x1000 + in[0]));  // 2^-11
    NEAR(0x1.002p-11f, 0x1p-21f, expm1(x));
    NEAR(0x1.ffcp-12f, 0x1p-22f, log1p(x));
}

kernel void test_powers(global uint *record, global int *in) {
    const half zero = in[0];
    ASSERT(1, cbrt(27.0h + zero) == 3.0h);
    NEAR(59049.0f, 32.0f, pow(3.0h + zero, 10.0h));
    NEAR(22026.4658f, 16.0f, exp(10.0h + zero));
    NEAR(1e4f, 8.0f, exp10(4.0h + zero));
}
