// SPDX-License-Identifier: Apache-2.0
// root() of float.h: the translator takes the first where the device's Sqrt is exact enough.
#include "float.h"

float LIBRARY root_device(float x) { return sqrt(x); }

float LIBRARY root_refined(float x) {
    float r = rsqrt(x + 1.0e-32f), s = x * r;
    return mad(mad(-s, s, x), 0.5f * r, s);
}
