// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// NEEDS: double
// Quotients of doubles are rounded correctly (OpenCL C 3.0 7.4), zeros and infinities included; the front end knows them. NVIDIA's
// compiler for Vulkan calls a function for what is far from 1, and has wrong values of others in those that call.
// OPTIONS: -cl-std=CL1.2
// RUN: global=64 local=64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "quotients_double.h"

kernel void test_quotients(global uint *record, global double *numbers) {
    volatile global double *in = numbers + 2 * get_local_id(0);
    QUOTIENT(1.0, 3.0) QUOTIENT(2.0, 3.0) QUOTIENT(10.0, 7.0) QUOTIENT(0x1.fffffffffffffp0, 0x1.0000000000001p0)
    QUOTIENT(1.0, 0x1.fffffffffffffp0) QUOTIENT(0x1.0000000000001p0, 0x1.fffffffffffffp0)
    QUOTIENT(0x1.fffffffffffffp0, 0x1.ffffffffffffep0) QUOTIENT(0x1.921fb54442d18p1, 0x1.5bf0a8b145769p1)
    QUOTIENT(5.0e300, 3.0e-5) QUOTIENT(5.0e-300, 3.0e5) QUOTIENT(1.0e200, 3.0e150) QUOTIENT(1.0e-200, 7.0e-150)
    QUOTIENT(7.0e-200, 3.0e100) QUOTIENT(0x1.fffffffffffffp1023, 0x1.8p-2) QUOTIENT(1.0e300, 1.0e-300)
    OF_VARIABLES(0.0, 3.0) OF_VARIABLES(0.0, -0x1p1000) OF_VARIABLES(3.0, 0.0) OF_VARIABLES(3.0, -0.0)
    OF_VARIABLES(INFINITY, 3.0)
    OF_VARIABLES(3.0, INFINITY) OF_VARIABLES(3.0, -INFINITY)
    OF_VARIABLES(INFINITY, 0.0)
}

kernel void test_none(global uint *record, global double *numbers) {
    volatile global double *in = numbers + 2 * get_local_id(0);
#define NO_QUOTIENT(a, b) in[0] = a; in[1] = b; ASSERT(1, isnan(in[0] / in[1]));
    NO_QUOTIENT(0.0, 0.0) NO_QUOTIENT(INFINITY, -INFINITY) NO_QUOTIENT(NAN, 1.0) NO_QUOTIENT(1.0, NAN) NO_QUOTIENT(NAN, 0.0)
}

// The index of a shuffle, beside a quotient
kernel void test_masks(global uint *record, global uchar *bytes, global double *numbers, global uint *out) {
    const uint l = get_local_id(0);
    for (uint i = 0; i < 2; ++i) bytes[2 * l + i] = (2 * l + i) * 37 + 11;
    numbers[2 * l] = 1.0 + l;
    numbers[2 * l + 1] = 3.0 + l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    const uint from = l & 31, mask = l & 3;
    const uchar2 v = ((global uchar2 *)bytes)[from], m = ((global uchar2 *)bytes)[mask];
    const uchar2 s = shuffle(v, m);
    const long q = as_long(numbers[2 * from] / numbers[2 * from + 1]);
    out[2 * l] = s.y;
    out[2 * l + 1] = (uint)q * 31 + (uint)(q >> 32);
    barrier(CLK_GLOBAL_MEM_FENCE);
    const uint index = ((2 * mask + 1) * 37 + 11) & 1;
    ASSERT(((2 * from + index) * 37 + 11) & 255, ((volatile global uint *)out)[2 * l]);
}
