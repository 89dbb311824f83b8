// SPDX-License-Identifier: Apache-2.0
// Edge cases of math functions of float.
#define T float
#define T2 float2
#define T3 float3
#define T4 float4
#define BITS uint
#define AS_BITS as_uint
#define AS_T as_float
#define BELOW_HALF 0x1.fffffep-2f
#define LARGEST_ODD 0x1.fffffep+23f
#define LARGEST FLT_MAX
#define LEAST_NORMAL 0x00800000u
#define TINY 0x1p-100f
#define BIG 0x1p+100f
#define LITTLE 0x1p-100f
#define TOLERANCE 0x1p-20f
#include "math_edges.h"
