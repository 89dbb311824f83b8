// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, expm1 (OpenCL C 6.13.2): at most 3 ulp.
#include "float.h"

float LIBRARY exp(float x) { return exp_core(x, 0.0f, 0); }

float LIBRARY exp2(float x) { return exp2_of_pair(x, 0.0f); }

#define LOG2_10 3.32192802e+00f
#define LOG10_2_HIGH 0.30102539062f  // 11 bits
#define LOG10_2_LOW 4.605039067e-06f

float LIBRARY exp10(float x) {
    float c = x > 39.0f ? 39.0f : x < -46.0f ? -46.0f : x;
    float n = rint(c * LOG2_10);
    float r = (c - n * LOG10_2_HIGH) - n * LOG10_2_LOW;
    return scale(1.0f + r * poly_exp10(r), (int)n);
}

float LIBRARY expm1(float x) {
    if (is_zero(x) || is_nan(x)) return x;
    if (x > 88.8f) return INF_VALUE;
    return expm1_core(x, 0);
}
