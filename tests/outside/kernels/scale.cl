// SPDX-License-Identifier: Apache-2.0
#include "factor.h"

kernel void scale(global float *data) { data[get_global_id(0)] *= FACTOR; }
