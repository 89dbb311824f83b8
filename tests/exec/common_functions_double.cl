// SPDX-License-Identifier: Apache-2.0
// Common, geometric and relational functions of double.
// NEEDS: double
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define T double
#define T2 double2
#define T3 double3
#define T4 double4
#define T16 double16
#define BITS ulong
#define INTS long
#define INTS4 long4
#define INTS16 long16
#define AS_BITS as_ulong
#define AS_T as_double
#define LEAST_NORMAL 0x0010000000000000ul
#define TOLERANCE 0x1p-48
#include "common_functions.h"
