// SPDX-License-Identifier: Apache-2.0
// Common, geometric and relational functions of half.
// NEEDS: half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half
#define T2 half2
#define T3 half3
#define T4 half4
#define T16 half16
#define BITS ushort
#define INTS short
#define INTS4 short4
#define INTS16 short16
#define AS_BITS as_ushort
#define AS_T as_half
#define LEAST_NORMAL 0x0400
#define TOLERANCE 0x1p-8f
#include "common_functions.h"
