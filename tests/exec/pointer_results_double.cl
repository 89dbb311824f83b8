// SPDX-License-Identifier: Apache-2.0
// Second results of math functions of double.
// OPTIONS: -cl-std=CL2.0
// NEEDS: double
// NEEDS: quick doubles
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SCALAR double
#define generic  // the name of a space that is not written
#include "pointer_results.h"

RESULTS(double, int, SCALARS)
RESULTS(double3, int3, VECTORS)
GENERIC_RESULTS(double, int, SCALARS)
GENERIC_RESULTS(double3, int3, VECTORS)
