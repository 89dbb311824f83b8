// SPDX-License-Identifier: Apache-2.0
// log, log2, log10 (at most 3 ulp), log1p (2 ulp) (OpenCL C 6.13.2).
#include "float.h"

// What every logarithm gives for x <= 0, infinity and NaN.
static float log_special(float x) {
    if (is_zero(x)) return -INF_VALUE;
    return is_nan(x) || is_negative(x) ? NAN_VALUE : x;
}
static bool is_log_special(float x) { return as_uint(x) - 1u >= INF_BITS - 1u; }

float LIBRARY log(float x) {
    if (is_log_special(x)) return log_special(x);
    float2 s = split_log(x);
    return log_core(s.x, s.y, 0.0f);
}

// (e + log(1 + f) * factor * scale): the factor in a 12-bit head and a tail, the part of e in a head and a tail.
static float log_in_base(float x, float head, float tail, float e_head, float e_tail) {
    float2 s = split_log(x);
    float f = s.x, e = s.y;
    float half_square = 0.5f * f * f;
    float high = leading(f - half_square);
    float low = ((f - high) - half_square) + f * f * f * poly_log(f);
    float2 sum = two_sum(e * e_head, high * head);
    return sum.x + (sum.y + (low * (head + tail) + high * tail + e * e_tail));
}

float LIBRARY log2(float x) {
    if (is_log_special(x)) return log_special(x);
    return log_in_base(x, 1.4423828125f, 3.122283961e-04f, 1.0f, 0.0f);
}

float LIBRARY log10(float x) {
    if (is_log_special(x)) return log_special(x);
    return log_in_base(x, 0.43420410156f, 9.038033750e-05f, 0.30102539062f, 4.605039067e-06f);
}

float LIBRARY log1p(float x) {
    if (is_zero(x) || is_nan(x) || x == INF_VALUE) return x;
    if (x <= -1.0f) return x == -1.0f ? -INF_VALUE : NAN_VALUE;
    return log1p_core(x, 0.0f);
}
