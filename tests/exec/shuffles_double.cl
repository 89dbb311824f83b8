// SPDX-License-Identifier: Apache-2.0
// shuffle and shuffle2 of doubles and halves (1.13.12-5).
// NEEDS: double
// NEEDS: half
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "assert.h"

kernel void test_double(global uint *record, global int *in) {
    double4 v = convert_double4(vload4(1, in)), w = -v;
    double8 all = shuffle2(v, w, (ulong8)(7, 0, 6, 1, 5, 2, 4, 8 + 3));
    ASSERT(1, all.s0 == -7); ASSERT(1, all.s1 == 4); ASSERT(1, all.s6 == -4); ASSERT(1, all.s7 == 7);
    double2 some = shuffle(v, (ulong2)((ulong)in[2], (ulong)in[7])); ASSERT(1, some.x == 6); ASSERT(1, some.y == 7);
    ASSERT(4, vec_step(double3)); ASSERT(16, vec_step(double16));
}
kernel void test_half(global uint *record, global int *in) {
    half4 v = convert_half4(vload4(1, in)), w = -v;
    half16 all = shuffle2(v, w, (ushort16)(7, 0, 6, 1, 5, 2, 4, 3, 0, 1, 2, 3, 4, 5, 6, (ushort)in[15]));
    ASSERT(1, all.s0 == -7); ASSERT(1, all.s1 == 4); ASSERT(1, all.se == -6); ASSERT(1, all.sf == -7);
    half2 some = shuffle(v, (ushort2)((ushort)in[2], (ushort)in[7])); ASSERT(1, some.x == 6); ASSERT(1, some.y == 7);
}
