// SPDX-License-Identifier: Apache-2.0
// fma rounds once in half (1.13.2-31), where the sum, rounded to a float, lies halfway between two halves; zeros, infinities, NaN.
// NEEDS: half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "assert.h"
#define H(bits) as_half((ushort)((bits) + in[0]))
#define FMA(expected, a, b, c) ASSERT(expected, as_ushort(fma(H(a), H(b), H(c))));

kernel void test_fma_half(global uint *record, global int *in) {
    FMA(0x7819, 0x5bab, 0x4cfd, 0x7701) FMA(0x6b59, 0x587f, 0x4e89, 0x2483) FMA(0x6e57, 0xbf62, 0x456b, 0x6e59)
    FMA(0x47c7, 0x378d, 0x4c1f, 0x84c4) FMA(0xb979, 0x2ad8, 0x1cad, 0xb979) FMA(0x4d75, 0x53f5, 0x2117, 0x4d4c)
    FMA(0x7c00, 0x7bff, 0x4000, 0x3c00) FMA(0xfc00, 0x7bff, 0xbc00, 0xfbff) FMA(0x7c00, 0x7c00, 0x3c00, 0xfbff)
    FMA(0x0000, 0x3c00, 0x3c00, 0xbc00) FMA(0x8000, 0x8000, 0x3c00, 0x8000) FMA(0x3c00, 0x3c00, 0x3c00, 0x0000)
    ASSERT(1, isnan(fma(H(0x7c00), H(0), H(0x3c00)))); ASSERT(1, isnan(fma(H(0x7c00), H(0x3c00), H(0xfc00))));
    ASSERT(1, isnan(fma(H(0x3c00), H(0x7e00), H(0x3c00))));
}

kernel void test_vectors(global uint *record, global int *in) {
    const half4 v = fma((half4)(H(0x5bab), H(0x587f), H(0xbf62), H(0x378d)), (half4)(H(0x4cfd), H(0x4e89), H(0x456b), H(0x4c1f)),
                        (half4)(H(0x7701), H(0x2483), H(0x6e59), H(0x84c4)));
    const half16 w = fma((half16)(H(0x53f5)), (half16)(H(0x2117)), (half16)(H(0x4d4c)));
    ASSERT(0x7819, as_ushort(v.x)); ASSERT(0x6b59, as_ushort(v.y)); ASSERT(0x6e57, as_ushort(v.z)); ASSERT(0x47c7, as_ushort(v.w));
    ASSERT(0x4d75, as_ushort(w.s0)); ASSERT(0x4d75, as_ushort(w.sf));
}
