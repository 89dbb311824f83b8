// SPDX-License-Identifier: Apache-2.0
// pow, pown, powr, rootn: at most 16 ulp (OpenCL C 6.13.2; C99 F.9.4.4).
#include "pow.h"

// |x|^y where x is zero or infinite
static float power_of_extreme(float x, bool y_negative) { return is_zero(x) == y_negative ? INF_VALUE : 0.0f; }

float LIBRARY pow(float x, float y) {
    if (is_zero(y) || x == 1.0f) return 1.0f;
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    float a = fabs(x);
    bool is_integer = fabs(y) >= 16777216.0f || trunc(y) == y;
    bool is_odd = fabs(y) < 16777216.0f && is_integer && ((int)y & 1) != 0;
    float r;
    if (is_zero(x) || is_inf(x)) {
        r = power_of_extreme(x, is_negative(y));
    } else if (is_inf(y)) {
        return a == 1.0f ? 1.0f : (a > 1.0f) == is_negative(y) ? 0.0f : INF_VALUE;
    } else {
        if (is_negative(x) && !is_integer) return NAN_VALUE;
        r = power(log2_pair(a), (float2)(y, 0.0f));
    }
    return is_negative(x) && is_odd ? -r : r;
}

float LIBRARY powr(float x, float y) {
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    if (is_negative(x) && !is_zero(x)) return NAN_VALUE;
    if (is_zero(x) || is_inf(x)) return is_zero(y) ? NAN_VALUE : power_of_extreme(x, is_negative(y));
    if (is_inf(y)) return x == 1.0f ? NAN_VALUE : (x > 1.0f) == is_negative(y) ? 0.0f : INF_VALUE;
    return power(log2_pair(x), (float2)(y, 0.0f));
}

// An int as the sum of two floats: one has too few bits.
static float2 int_pair(int n) {
    int high = n & (int)0xffff0000u;
    return fast_two_sum((float)high, (float)(n - high));
}

float LIBRARY pown(float x, int n) {
    if (n == 0) return 1.0f;
    if (is_nan(x)) return x;
    float r = is_zero(x) || is_inf(x) ? power_of_extreme(x, n < 0) : power(log2_pair(fabs(x)), int_pair(n));
    return is_negative(x) && (n & 1) != 0 ? -r : r;
}

float LIBRARY rootn(float x, int n) {
    bool is_odd = (n & 1) != 0;
    if (n == 0 || is_nan(x)) return NAN_VALUE;
    if (is_negative(x) && !is_odd && !is_zero(x)) return NAN_VALUE;
    float r;
    if (is_zero(x) || is_inf(x)) {
        r = power_of_extreme(x, n < 0);
    } else {
        float2 e = pair_quotient(log2_pair(fabs(x)), int_pair(n));
        r = exp2_of_pair(e.x, e.y);
    }
    return is_negative(x) && is_odd ? -r : r;
}
