// SPDX-License-Identifier: Apache-2.0
// Reduction by pi/2, and sine, cosine and tangent of what is left.
#pragma once
#include "float.h"

#define PI_HIGH 3.14159274e+00f
#define PI_LOW -8.74227766e-08f
#define PI_2_HIGH 1.57079637e+00f
#define PI_2_LOW -4.37113883e-08f

// x = q pi/2 + r: (r high, r low, q mod 4).
static float4 reduced(float2 r, int q) { return (float4)(r.x, r.y, (float)(q & 3), 0.0f); }

// |x| < 1600: pi/2 in three parts of 13 bits, whose products with n (11 bits) are exact, and a rest.
static float4 reduce_small(float x) {
    float n = rint(x * 6.36619747e-01f);
    float2 a = two_sum(x - n * 1.570556641f, -n * 2.396702766e-04f);
    float2 b = two_sum(a.x, -n * 1.589069143e-08f);
    return reduced(fast_two_sum(b.x, (a.y + b.y) - n * 2.563344068e-12f), (int)n);
}

// Any finite x >= 1: the bits of 2/pi that matter, times x's significand, in fixed point (M. Payne and R. Hanek, 1983).
static float4 reduce_large(float x) {
    uint bits = as_uint(x);
    uint m = (bits & 0x007fffffu) | 0x00800000u;
    uint offset = (bits >> 23) - 120u;  // into 32 zero bits followed by the bits of 2/pi
    uint shift = offset & 31u, word = offset >> 5;
    uint w0 = word == 0u ? 0u : word == 1u ? 0xa2f9836eu : word == 2u ? 0x4e441529u : word == 3u ? 0xfc2757d1u : 0xf534ddc0u;
    uint w1 = word == 0u ? 0xa2f9836eu : word == 1u ? 0x4e441529u : word == 2u ? 0xfc2757d1u : word == 3u ? 0xf534ddc0u : 0xdb629599u;
    uint w2 = word == 0u ? 0x4e441529u : word == 1u ? 0xfc2757d1u : word == 2u ? 0xf534ddc0u : word == 3u ? 0xdb629599u : 0x3c439041u;
    uint w3 = word == 0u ? 0xfc2757d1u : word == 1u ? 0xf534ddc0u : word == 2u ? 0xdb629599u : word == 3u ? 0x3c439041u : 0xfe5163abu;
    if (shift != 0u) {
        w0 = (w0 << shift) | (w1 >> (32u - shift));
        w1 = (w1 << shift) | (w2 >> (32u - shift));
        w2 = (w2 << shift) | (w3 >> (32u - shift));
    }
    // The fraction of m * 0.w0w1w2 in 64 bits: a quarter of x * 2/pi, modulo 1.
    uint low = m * w1;
    uint carry_in = mul_hi(m, w2);
    uint f1 = low + carry_in;
    uint f0 = m * w0 + mul_hi(m, w1) + (f1 < low ? 1u : 0u);
    uint q = f0 >> 30;
    f0 = (f0 << 2) | (f1 >> 30);
    f1 <<= 2;
    bool negative = (f0 & SIGN_BIT) != 0u;  // nearer to the next quadrant
    if (negative) {
        q += 1u;
        f1 = ~f1 + 1u;
        f0 = ~f0 + (f1 == 0u ? 1u : 0u);
    }
    int zeros = f0 != 0u ? (int)clz(f0) : 32 + (int)clz(f1);
    if (zeros >= 32) {
        f0 = f1;
        f1 = 0u;
    }
    int rest = zeros & 31;
    if (rest != 0) {
        f0 = (f0 << rest) | (f1 >> (32 - rest));
        f1 <<= rest;
    }
    float unit = power_of_two(-zeros);
    float high = (float)(f0 >> 8) * 5.96046448e-08f;                                   // 2^-24
    float tail = (float)(((f0 & 0xffu) << 16) | (f1 >> 16)) * 5.96046448e-08f * 5.96046448e-08f;  // 2^-48
    float2 r = pair_product((float2)(high, tail), (float2)(PI_2_HIGH, PI_2_LOW)) * unit;
    return reduced(negative ? -r : r, (int)q);
}

static float4 reduce(float x) {
    if (fabs(x) < 1600.0f) return reduce_small(x);
    float4 r = reduce_large(fabs(x));
    if (!is_negative(x)) return r;
    return (float4)(-r.x, -r.y, (float)((4 - (int)r.z) & 3), 0.0f);
}

static float sin_kernel(float r, float low) {
    float z = r * r;
    return r + (r * z * poly_sin(z) + low * (1.0f - 0.5f * z));
}
static float cos_kernel(float r, float low) {
    float z = r * r;
    float w = 1.0f - 0.5f * z;
    return w + (((1.0f - w) - 0.5f * z) + (z * z * poly_cos(z) - r * low));
}

// sin or cos of the reduced argument plus q more quarters
static float sin_of(float4 r, int more) {
    int q = (int)r.z + more;
    float value = (q & 1) != 0 ? cos_kernel(r.x, r.y) : sin_kernel(r.x, r.y);
    return (q & 2) != 0 ? -value : value;
}

static float tan_of(float4 r) {
    float z = r.x * r.x;
    float t = r.x * z * poly_tan(z);
    float2 tangent = fast_two_sum(r.x, t + r.y * (1.0f + (r.x + t) * (r.x + t)));
    if (((int)r.z & 1) == 0) return tangent.x + tangent.y;
    float2 cotangent = pair_quotient((float2)(-1.0f, 0.0f), tangent);
    return cotangent.x + cotangent.y;
}
