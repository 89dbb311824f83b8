// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-fast-relaxed-math
// NEEDS: double
// exp and exp2 of relaxed math are within 3 + floor(|2x|) ulp (OpenCL C 3.0 7.4, "ULP values for relaxed math"): here of |x| < 1/2, and a
// number of which Mesa's llvmpipe has exp2 too far off.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "assert.h"

#define NEAR(f, x)                                                                         \
    {                                                                                      \
        const double right = f((double)(x)), ulp = right < 1.0 ? 0x1p-24 : 0x1p-23;       \
        ASSERT(1, fabs((double)f(x) - right) <= 3.0 * ulp);                                \
    }

kernel void test_exponentials(global uint *record, global int *in) {
    const float far = as_float(0xbd824600 + in[0]);
    NEAR(exp2, far)
    for (int i = -400; i < 400; i++) {
        const float x = i * 0x1.25p-10f + in[0];
        NEAR(exp, x)
        NEAR(exp2, x)
    }
}
