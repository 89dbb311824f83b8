// SPDX-License-Identifier: Apache-2.0
// Common, geometric and relational functions of float.
#define T float
#define T2 float2
#define T3 float3
#define T4 float4
#define T16 float16
#define BITS uint
#define INTS int
#define INTS4 int4
#define INTS16 int16
#define AS_BITS as_uint
#define AS_T as_float
#define LEAST_NORMAL 0x00800000
#define TOLERANCE 0x1p-20f
#include "common_functions.h"
