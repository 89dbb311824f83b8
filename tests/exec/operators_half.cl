// SPDX-License-Identifier: Apache-2.0
// Operators of vectors of half.
// NEEDS: half
// RUN: global=16 local=16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "operators.h"

ALL_LENGTHS(half, short)
