// SPDX-License-Identifier: Apache-2.0
// Operators of vectors of double.
// NEEDS: double
// RUN: global=16 local=16
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "operators.h"

ALL_LENGTHS(double, long)
