// SPDX-License-Identifier: Apache-2.0
// sin, cos, sincos (at most 4 ulp), tan (5 ulp) and their versions in units of pi (tanpi 6 ulp) (OpenCL C 6.13.2).
#include "trig.h"

float LIBRARY sin(float x) {
    if (is_zero(x)) return x;
    if (magnitude_bits(x) >= INF_BITS) return NAN_VALUE;
    return sin_of(reduce(x), 0);
}

float LIBRARY cos(float x) {
    if (magnitude_bits(x) >= INF_BITS) return NAN_VALUE;
    return sin_of(reduce(x), 1);
}

float LIBRARY sincos(float x, float* cosine) {
    if (magnitude_bits(x) >= INF_BITS) {
        *cosine = NAN_VALUE;
        return NAN_VALUE;
    }
    float4 r = reduce(x);
    *cosine = sin_of(r, 1);
    return is_zero(x) ? x : sin_of(r, 0);
}

float LIBRARY tan(float x) {
    if (is_zero(x)) return x;
    if (magnitude_bits(x) >= INF_BITS) return NAN_VALUE;
    return tan_of(reduce(x));
}

// pi x = q pi/2 + r. From 2^24 on every float is an even number.
static float4 reduce_pi(float x) {
    if (fabs(x) >= 16777216.0f) return (float4)(0.0f);
    float n = rint(2.0f * x);
    float r = x - 0.5f * n;
    return reduced(pair_product((float2)(r, 0.0f), (float2)(PI_HIGH, PI_LOW)), (int)n);
}

float LIBRARY sinpi(float x) {
    if (magnitude_bits(x) >= INF_BITS) return NAN_VALUE;
    float4 r = reduce_pi(x);
    if (r.x == 0.0f && ((int)r.z & 1) == 0) return with_sign_of(0.0f, x);
    return sin_of(r, 0);
}

float LIBRARY cospi(float x) {
    if (magnitude_bits(x) >= INF_BITS) return NAN_VALUE;
    float4 r = reduce_pi(x);
    if (r.x == 0.0f && ((int)r.z & 1) != 0) return 0.0f;
    return sin_of(r, 1);
}

float LIBRARY tanpi(float x) {
    if (magnitude_bits(x) >= INF_BITS) return NAN_VALUE;
    float4 r = reduce_pi(x);
    int q = (int)r.z;
    if (r.x == 0.0f) {
        if ((q & 1) != 0) return q == 1 ? INF_VALUE : -INF_VALUE;
        return with_sign_of(0.0f, q == 0 ? x : -x);
    }
    return tan_of(r);
}
