// SPDX-License-Identifier: Apache-2.0
// Second results of math functions of float.
// OPTIONS: -cl-std=CL2.0
#define SCALAR float
#define generic  // the name of a space that is not written
#include "pointer_results.h"

RESULTS(float, int, SCALARS)
RESULTS(float3, int3, VECTORS)
GENERIC_RESULTS(float, int, SCALARS)
GENERIC_RESULTS(float3, int3, VECTORS)
