// SPDX-License-Identifier: Apache-2.0
// Second results of math functions of float in a language without generic pointers, where each address space has functions of its own: C-4.
// OPTIONS: -cl-std=CL1.2
#define SCALAR float
#include "pointer_results.h"

RESULTS(float, int, SCALARS)
RESULTS(float3, int3, VECTORS)
