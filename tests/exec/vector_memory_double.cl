// SPDX-License-Identifier: Apache-2.0
// The same as vector_memory.cl for doubles (1.1.2-2).
// NEEDS: double
#include "vector_memory.h"
TYPE(double)
ALIGNMENT(double)
