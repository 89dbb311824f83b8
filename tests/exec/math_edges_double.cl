// SPDX-License-Identifier: Apache-2.0
// Edge cases of math functions of double.
// NEEDS: double
// NEEDS: quick doubles
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define T double
#define T2 double2
#define T3 double3
#define T4 double4
#define BITS ulong
#define AS_BITS as_ulong
#define AS_T as_double
#define BELOW_HALF 0x1.fffffffffffffp-2
#define LARGEST_ODD 0x1.fffffffffffffp+52
#define LARGEST DBL_MAX
#define LEAST_NORMAL 0x0010000000000000ul
#define TINY 0x1p-1000
#define BIG 0x1p+1000
#define LITTLE 0x1p-1000
#define TOLERANCE 0x1p-24
#include "math_edges.h"
