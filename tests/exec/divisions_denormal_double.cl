// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// NEEDS: double
// NEEDS: denormals of double
// Quotients of doubles are rounded correctly (OpenCL C 3.0 7.4) where they or what is divided are denormal: divisions_double.cl has others.
// OPTIONS: -cl-std=CL1.2
// RUN: global=64 local=64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "assert.h"

// Of variables, and of a constant dividend
#define OF_VARIABLES(a, b)                                            \
    in[0] = a;                                                        \
    in[1] = b;                                                        \
    ASSERT_LONG(as_long((a) / (b)), as_long(in[0] / in[1]));          \
    ASSERT_LONG(as_long((a) / (b)), as_long((a) / in[1]));            \
    ASSERT_LONG(as_long(-(a) / (b)), as_long(-in[0] / in[1]));        \
    ASSERT_LONG(as_long(1.0 / (b)), as_long(1.0 / in[1]));
// And by a constant, which is neither zero nor denormal: llvmpipe has 0 for those quotients.
#define QUOTIENT(a, b) OF_VARIABLES(a, b) ASSERT_LONG(as_long((a) / (b)), as_long(in[0] / (b)));

kernel void test_quotients(global uint *record, global double *numbers) {
    volatile global double *in = numbers + 2 * get_local_id(0);
    // Denormal quotients, and what is between two of them
    QUOTIENT(1.0e-300, 3.0e10) QUOTIENT(0x1.0000000000001p-1022, 2.0) QUOTIENT(0x1.0000000000003p-1022, 2.0)
    QUOTIENT(0x1.8000000000001p-1020, 0x1p53) QUOTIENT(0x1p-1022, 0x1p53) QUOTIENT(0x1.0000000000001p-1022, 0x1p53)
    QUOTIENT(0x1.fffffffffffffp-1023, 3.0) QUOTIENT(0x1p-1000, 0x1.0000000000001p74) QUOTIENT(0x1.8p-1000, 0x1p74)
    QUOTIENT(0x1p-1000, 0x1.fffffffffffffp73) QUOTIENT(0x1.5555555555555p-1022, 3.0)
    // Of denormals
    OF_VARIABLES(0x1p-1074, 3.0) OF_VARIABLES(0x1p-1074, 2.0) OF_VARIABLES(0x3p-1074, 2.0)
    OF_VARIABLES(0x1p-1074, 0x1p-1074)
    OF_VARIABLES(0x1.23456789p-1040, 0x1.3579bp-1050) OF_VARIABLES(1.0, 0x1p-1074)
    OF_VARIABLES(1.0e-20, 0x3p-1074)
    OF_VARIABLES(0x0.fffffffffffffp-1022, 0x1.fffffffffffffp1023)
    OF_VARIABLES(0x1.fffffffffffffp1023, 0x0.fffffffffffffp-1022)
    OF_VARIABLES(0x1p-1074, INFINITY)
}
