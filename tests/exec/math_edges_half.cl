// SPDX-License-Identifier: Apache-2.0
// Edge cases of math functions of half.
// NEEDS: half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half
#define T2 half2
#define T3 half3
#define T4 half4
#define BITS ushort
#define AS_BITS as_ushort
#define AS_T as_half
#define BELOW_HALF 0x1.ffcp-2h
#define LARGEST_ODD 0x1.ffcp+10h
#define LARGEST HALF_MAX
#define LEAST_NORMAL 0x0400
#define TINY 0x1p-14h
#define BIG 0x1p+13h
#define LITTLE 0x1p-12h
#define TOLERANCE 0x1p-9h
#include "math_edges.h"
