// SPDX-License-Identifier: Apache-2.0
// NEEDS: half
// clang's __builtin_ functions of halves: classes, of which a float has others, and extremes.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "assert.h"
#define H(bits) as_half((ushort)((bits) + in[0]))

kernel void test_halves(global uint *record, global int *in) {
    const half x[] = {H(0x7c01), H(0x7e00), H(0xfc00), H(0xbe00), H(0x8001), H(0x8000), H(0), H(0x03ff), H(0x0400), H(0x7c00)};
    for (int i = 0; i < 10; i++) {
        const int m = 1 << i;
        ASSERT((m & 3) != 0, __builtin_isfpclass(x[i], 3)); ASSERT(m == 1, __builtin_issignaling(x[i])); ASSERT(m == 128, __builtin_isfpclass(x[i], 128));
        ASSERT((m & 0x60) != 0, __builtin_iszero(x[i])); ASSERT((m & 0x90) != 0, __builtin_issubnormal(x[i])); ASSERT(m == 4 ? -1 : m == 512, __builtin_isinf_sign(x[i]));
        ASSERT(m < 4 ? 10 : m == 4 || m == 512 ? 20 : m == 8 || m == 256 ? 30 : m == 16 || m == 128 ? 40 : 50, __builtin_fpclassify(10, 20, 30, 40, 50, x[i]));
        ASSERT((m & 0x108) != 0, __builtin_isnormal(x[i])); ASSERT((m & 0x3c) != 0 && m != 0, __builtin_signbit(x[i]) != 0 && m > 3);
    }
    ASSERT(0, as_ushort(__builtin_elementwise_maximum(x[5], x[6]))); ASSERT(0x8000, as_ushort(__builtin_fminimum_numf16(x[6], x[5])));
    ASSERT(0xbe00, as_ushort(__builtin_elementwise_minimumnum(x[1], x[3]))); ASSERT(1, isnan(__builtin_elementwise_minimum(x[1], x[3])));
    ASSERT(0xbe00, as_ushort(__builtin_canonicalizef16(x[3]))); ASSERT(0x7c00, as_ushort(__builtin_inff16())); ASSERT(0x7e00, as_ushort(__builtin_nanf16("")));
    ASSERT(0x7d00, as_ushort(__builtin_nansf16(""))); ASSERT(0x4900, as_ushort(__builtin_exp10f16(H(0x3c00)))); ASSERT(0xc000, as_ushort(__builtin_roundevenf16(H(0xbe00))));
}
