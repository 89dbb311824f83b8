// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, asinh, acosh (at most 4 ulp), tanh, atanh (5 ulp) (OpenCL C 6.13.2).
#include "float.h"

float LIBRARY sinh(float x) {
    if (is_zero(x) || is_nan(x)) return x;
    float a = fabs(x);
    if (a < 1.0f) {
        float z = x * x;
        return x + x * z * poly_sinh(z);
    }
    if (a > 9.5f) return with_sign_of(exp_core(a, 0.0f, -1), x);
    float e = exp_core(a, 0.0f, 0);
    return with_sign_of(0.5f * (e - 1.0f / e), x);
}

float LIBRARY cosh(float x) {
    float a = fabs(x);
    if (a > 9.5f) return exp_core(a, 0.0f, -1);
    float e = exp_core(a, 0.0f, 0);
    return 0.5f * e + 0.5f / e;
}

float LIBRARY tanh(float x) {
    if (is_zero(x) || is_nan(x)) return x;
    float a = fabs(x);
    if (a < 0.625f) {
        float z = x * x;
        return x + x * z * poly_tanh(z);
    }
    if (a > 9.2f) return with_sign_of(1.0f, x);
    return with_sign_of(1.0f - 2.0f / (exp_core(2.0f * a, 0.0f, 0) + 1.0f), x);
}

// log(2 a) for large a: asinh and acosh differ from it by 1/(4 a^2).
static float log_of_twice(float a) {
    float2 s = split_log(a);
    return log_core(s.x, s.y + 1.0f, 0.0f);
}

float LIBRARY asinh(float x) {
    float a = fabs(x);
    if (magnitude_bits(x) >= INF_BITS || is_zero(x)) return x;
    if (a < 0.000244140625f) return x - x * x * x * 0.166666672f;
    if (a > 8192.0f) return with_sign_of(log_of_twice(a), x);
    // log1p(a + a^2 / (1 + sqrt(1 + a^2)))
    float2 square = two_product(a, a);
    float2 root = pair_sqrt(pair_add(square, 1.0f));
    float2 u = pair_add(pair_quotient(square, pair_add(root, 1.0f)), a);
    return with_sign_of(log1p_core(u.x, u.y), x);
}

float LIBRARY acosh(float x) {
    if (!(x >= 1.0f)) return NAN_VALUE;
    if (x == INF_VALUE) return x;
    if (x > 8192.0f) return log_of_twice(x);
    // log1p(t + sqrt(t (t + 2))) with t = x - 1
    float2 t = two_sum(x, -1.0f);
    float2 root = pair_sqrt(pair_product(t, pair_add(t, 2.0f)));
    float2 u = two_sum(root.x, t.x);
    return log1p_core(u.x, u.y + (root.y + t.y));
}

float LIBRARY atanh(float x) {
    float a = fabs(x);
    if (is_zero(x) || is_nan(x)) return x;
    if (a >= 1.0f) return a == 1.0f ? with_sign_of(INF_VALUE, x) : NAN_VALUE;
    if (a < 0.000244140625f) return x + x * x * x * 0.333333343f;
    float2 u = pair_quotient((float2)(2.0f * a, 0.0f), two_sum(1.0f, -a));
    return with_sign_of(0.5f * log1p_core(u.x, u.y), x);
}
