// SPDX-License-Identifier: Apache-2.0
// erf and erfc: at most 16 ulp (OpenCL C 6.13.2).
#include "float.h"

// erfc(a) for 0.5 <= a: exp(-a^2) times a smooth function of (a - 2) / (a + 2)
static float erfc_tail(float a) {
    if (a > 10.1f) return 0.0f;
    float t = quotient(a - 2.0f, a + 2.0f);
    float2 square = two_product(a, a);
    return exp_core(-square.x, -square.y, 0) * poly_erfc(t);
}

static float erf_near_zero(float x) { return x + x * poly_erf(x * x); }

float LIBRARY erf(float x) {
    if (is_nan(x) || is_zero(x)) return x;
    float a = fabs(x);
    if (a < 1.0f) return erf_near_zero(x);
    return with_sign_of(a > 4.0f ? 1.0f : 1.0f - erfc_tail(a), x);
}

float LIBRARY erfc(float x) {
    if (is_nan(x)) return x;
    if (fabs(x) < 0.5f) return 1.0f - erf_near_zero(x);
    if (!is_negative(x)) return erfc_tail(x);
    return x < -4.5f ? 2.0f : 2.0f - erfc_tail(-x);
}
