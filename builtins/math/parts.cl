// SPDX-License-Identifier: Apache-2.0
// frexp, ldexp, ilogb, logb, modf, fract, nextafter: exact (OpenCL C 6.13.2).
#include "parts.h"

float LIBRARY frexp(float x, int* exponent) {
    *exponent = 0;
    if (is_zero(x) || magnitude_bits(x) >= INF_BITS) return x;
    int2 s = split_float(x);
    *exponent = s.y + 24;
    return as_float((as_uint(x) & SIGN_BIT) | 0x3f000000u | ((uint)s.x & 0x007fffffu));
}

float LIBRARY ldexp(float x, int k) {
    if (is_zero(x) || magnitude_bits(x) >= INF_BITS) return x;
    int2 s = split_float(x);
    return join_float((uint)s.x, s.y + clamp(k, -1000, 1000), is_negative(x));
}

int LIBRARY ilogb(float x) {
    if (is_zero(x)) return -0x7fffffff - 1;                // FP_ILOGB0
    if (magnitude_bits(x) >= INF_BITS) return 0x7fffffff;  // FP_ILOGBNAN, and infinity (C99 7.12.6.5)
    return split_float(x).y + 23;
}

float LIBRARY logb(float x) {
    if (is_zero(x)) return -INF_VALUE;
    if (is_nan(x)) return x;
    return is_inf(x) ? INF_VALUE : (float)(split_float(x).y + 23);
}

float LIBRARY modf(float x, float* integral) {
    float whole = trunc(x);
    *integral = is_nan(x) ? x : with_sign_of(whole, x);
    if (is_nan(x)) return x;
    return with_sign_of(is_inf(x) ? 0.0f : x - whole, x);
}

float LIBRARY fract(float x, float* integral) {
    if (is_nan(x) || is_zero(x)) {
        *integral = x;
        return x;
    }
    float whole = floor(x);
    *integral = whole;
    if (is_inf(x)) return with_sign_of(0.0f, x);
    return min(x - whole, 0x1.fffffep-1f);
}

float LIBRARY nextafter(float x, float y) {
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    uint a = as_uint(x), b = as_uint(y);
    if (a == b || (is_zero(x) && is_zero(y))) return y;
    if (is_zero(x)) return as_float((b & SIGN_BIT) | 1u);
    // Away from zero when x and y have one sign and y is the larger in magnitude.
    bool away = is_negative(x) == is_negative(y) && magnitude_bits(x) < magnitude_bits(y);
    return as_float(away ? a + 1u : a - 1u);
}
