// SPDX-License-Identifier: Apache-2.0
// tgamma (at most 16 ulp), lgamma, lgamma_r (no bound) (OpenCL C 6.13.2).
#include "pow.h"
#include "trig.h"

// log2 of Gamma(x) for x >= 12 by Stirling's series, as a pair
static float2 log2_gamma_large(float x) {
    float r = 1.0f / x;
    float series = r * (8.33333358e-02f - r * r * (2.77777785e-03f - r * r * 7.93650805e-04f));
    float2 p = pair_product(log2_pair(x), two_sum(x, -0.5f));
    float2 q = pair_product((float2)(x, 0.0f), (float2)(1.44269502e+00f, 1.92596303e-08f));
    float2 sum = two_sum(p.x, -q.x);
    // log2(sqrt(2 pi)) = 1.32574806...
    return pair_add(fast_two_sum(sum.x, sum.y + (p.y - q.y) + series * 1.44269502e+00f), 1.32574806e+00f);
}

// Gamma(x) for 0 < x < 12: to [2, 3) by the recurrence.
static float gamma_small(float x) {
    float above = 1.0f;
    while (x >= 3.0f) {
        x -= 1.0f;
        above *= x;
    }
    if (x >= 2.0f) return above * poly_gamma(x - 2.0f);
    if (x >= 1.0f) return poly_gamma(x - 1.0f) / x;
    return poly_gamma(x) / (x * (1.0f + x));
}

// sin(pi a), a > 0 finite and no integer; the sign with it
static float sin_pi(float a) {
    float n = rint(2.0f * a);
    float2 r = pair_product((float2)(a - 0.5f * n, 0.0f), (float2)(PI_HIGH, PI_LOW));
    return sin_of(reduced(r, (int)n), 0);
}

float LIBRARY tgamma(float x) {
    if (is_nan(x) || x == INF_VALUE) return x;
    if (is_zero(x)) return with_sign_of(INF_VALUE, x);
    if (fabs(x) < 1.0e-7f) return 1.0f / x;  // Gamma(x) = 1/x - 0.577...
    if (!is_negative(x)) {
        if (x < 12.0f) return gamma_small(x);
        if (x > 40.0f) return INF_VALUE;
        float2 l = log2_gamma_large(x);
        return exp2_of_pair(l.x, l.y);
    }
    if (x == -INF_VALUE || trunc(x) == x) return NAN_VALUE;
    // Gamma(-a) = -pi / (a sin(pi a) Gamma(a))
    float a = -x;
    if (a > 50.0f) return with_sign_of(0.0f, ((int)min(a, 1.0e9f) & 1) != 0 ? 1.0f : -1.0f);
    float s = a * sin_pi(a);
    if (a < 12.0f) return -PI_HIGH / (s * gamma_small(a));
    float2 l = log2_gamma_large(a);
    return -(quotient(PI_HIGH, s) * exp2_of_pair(-l.x, -l.y));
}

static float log_of(float x) {
    float2 s = split_log(x);
    return log_core(s.x, s.y, 0.0f);
}

// log Gamma(x) for x > 0
static float lgamma_positive(float x) {
    if (x < 0.5f) return x * poly_lgamma1(x) - log_of(x);
    if (x == 1.0f || x == 2.0f) return 0.0f;
    if (x < 1.5f) return (x - 1.0f) * poly_lgamma1(x - 1.0f);
    if (x < 10.0f) {
        float above = 1.0f;
        while (x >= 2.5f) {
            x -= 1.0f;
            above *= x;
        }
        float rest = (x - 2.0f) * poly_lgamma2(x - 2.0f);
        return above == 1.0f ? rest : log_of(above) + rest;
    }
    if (x == INF_VALUE) return x;
    float r = 1.0f / x;
    float series = r * (8.33333358e-02f - r * r * (2.77777785e-03f - r * r * 7.93650805e-04f));
    return (x - 0.5f) * (log_of(x) - 1.0f) + (0.418938547f + series);
}

// log |Gamma(x)| and its sign, 0 at the poles
static float2 lgamma_and_sign(float x) {
    if (is_nan(x)) return (float2)(x, 1.0f);
    if (is_inf(x)) return (float2)(INF_VALUE, 1.0f);
    if (is_zero(x) || (is_negative(x) && trunc(x) == x)) return (float2)(INF_VALUE, 0.0f);
    if (!is_negative(x)) return (float2)(lgamma_positive(x), 1.0f);
    float a = -x;
    if (a < 1.0e-7f) return (float2)(-log_of(a), -1.0f);
    float s = sin_pi(a);
    float value = log_of(PI_HIGH / (a * fabs(s))) - lgamma_positive(a);
    return (float2)(value, s > 0.0f ? -1.0f : 1.0f);
}

float LIBRARY lgamma(float x) { return lgamma_and_sign(x).x; }

float LIBRARY lgamma_r(float x, int* sign) {
    float2 r = lgamma_and_sign(x);
    *sign = (int)r.y;
    return r.x;
}
