// SPDX-License-Identifier: Apache-2.0
// What the float functions share: bits, pairs (a value as the unevaluated sum of two floats, .x the larger), and the
// cores of exp and log. No step relies on a fused fma, on a division or a square root that rounds correctly, or on
// denormals in arithmetic: Vulkan promises none of them. Sums and products are rounded one by one: the translator
// decorates library code NoContraction.
#pragma once
#include "poly_float.h"

#define LIBRARY __attribute__((overloadable))

#define SIGN_BIT 0x80000000u
#define INF_BITS 0x7f800000u
#define NAN_VALUE as_float(0x7fc00000u)
#define INF_VALUE as_float(INF_BITS)

static uint magnitude_bits(float x) { return as_uint(x) & ~SIGN_BIT; }
static bool is_nan(float x) { return magnitude_bits(x) > INF_BITS; }
static bool is_inf(float x) { return magnitude_bits(x) == INF_BITS; }
static bool is_zero(float x) { return magnitude_bits(x) == 0u; }
static bool is_negative(float x) { return (as_uint(x) & SIGN_BIT) != 0u; }
static float with_sign_of(float magnitude, float sign) {
    return as_float((as_uint(magnitude) & ~SIGN_BIT) | (as_uint(sign) & SIGN_BIT));
}

// ---- Pairs ----

static float2 fast_two_sum(float a, float b) {  // |a| >= |b| or a == 0
    float s = a + b;
    return (float2)(s, b - (s - a));
}
static float2 two_sum(float a, float b) {
    float s = a + b;
    float t = s - a;
    return (float2)(s, (a - (s - t)) + (b - t));
}
// The leading 12 bits of x; x minus them is exact.
static float leading(float x) { return as_float(as_uint(x) & 0xfffff000u); }
// Exact unless it overflows or a part underflows (T. J. Dekker, 1971, with truncation for the split).
static float2 two_product(float a, float b) {
    float p = a * b;
    float ah = leading(a), al = a - ah;
    float bh = leading(b), bl = b - bh;
    return (float2)(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl);
}
static float2 pair_product(float2 a, float2 b) {
    float2 p = two_product(a.x, b.x);
    return fast_two_sum(p.x, p.y + (a.x * b.y + a.y * b.x));
}
static float2 pair_add(float2 a, float b) {
    float2 s = two_sum(a.x, b);
    return fast_two_sum(s.x, s.y + a.y);
}
// a / b and sqrt(a) to some 40 bits, away from overflow and underflow.
static float2 pair_quotient(float2 a, float2 b) {
    float q = a.x / b.x;
    float2 p = two_product(q, b.x);
    float rest = ((a.x - p.x) - p.y) + (a.y - q * b.y);
    return fast_two_sum(q, rest / b.x);
}
static float2 pair_sqrt(float2 a) {
    if (a.x == 0.0f) return (float2)(a.x, 0.0f);
    float s = sqrt(a.x);
    float2 p = two_product(s, s);
    return fast_two_sum(s, (((a.x - p.x) - p.y) + a.y) / (2.0f * s));
}
static float quotient(float a, float b) {
    float2 q = pair_quotient((float2)(a, 0.0f), (float2)(b, 0.0f));
    return q.x + q.y;
}

// ---- Scaling ----

static float power_of_two(int n) { return as_float((uint)(n + 127) << 23); }  // -126 <= n <= 127
// x * 2^n for -252 <= n <= 254: two steps, so the result is rounded once when it is normal.
static float scale(float x, int n) {
    int half_n = n >> 1;
    return x * power_of_two(half_n) * power_of_two(n - half_n);
}

// ---- exp ----

// 2^(h + l): any h; l small. NaN stays NaN.
static float exp2_of_pair(float h, float l) {
    float c = h > 129.0f ? 129.0f : h < -152.0f ? -152.0f : h;
    float n = rint(c);
    float r = (c - n) + (c == h ? l : 0.0f);
    return scale(1.0f + r * poly_exp2(r), (int)n);
}

#define LOG2_E 1.44269502e+00f
#define LN2_HIGH 0.693145751953125f  // 15 bits
#define LN2_LOW 1.42860677e-06f

// exp(x) * 2^shift with one reduction; lo is added to x.
static float exp_core(float x, float lo, int shift) {
    float c = x > 90.0f ? 90.0f : x < -106.0f ? -106.0f : x;
    float n = rint(c * LOG2_E);
    float r = ((c - n * LN2_HIGH) - n * LN2_LOW) + lo;
    return scale(1.0f + (r + r * r * poly_exp(r)), (int)n + shift);
}

// expm1(x) * 2^shift, for x below overflow
static float expm1_core(float x, int shift) {
    float c = x < -18.0f ? -18.0f : x;
    float n = rint(c * LOG2_E);
    float r = (c - n * LN2_HIGH) - n * LN2_LOW;
    float e = r + r * r * poly_expm1(r);
    if (n == 0.0f) return scale(e, shift);
    float t = power_of_two((int)n - 1);  // half of 2^n, which is beyond the largest float for n == 128
    return scale((t - 0.5f) + t * e, shift + 1);
}

// ---- log ----

// x = (1 + f) 2^e with 1 + f in [sqrt(1/2), sqrt(2)): (f, e). x is positive and finite, denormals included.
static float2 split_log(float x) {
    uint b = as_uint(x);
    int e = 0;
    if (b < 0x00800000u) {
        int s = (int)clz(b) - 8;
        b <<= s;
        e = -s;
    }
    b += 0x3f800000u - 0x3f3504f3u;
    e += (int)(b >> 23) - 127;
    b = (b & 0x007fffffu) + 0x3f3504f3u;
    return (float2)(as_float(b) - 1.0f, (float)e);
}

// log((1 + f) 2^e) + c
static float log_core(float f, float e, float c) {
    float half_square = 0.5f * f * f;
    float rest = f * f * f * poly_log(f);
    return e * LN2_HIGH + (f - (half_square - (rest + (e * LN2_LOW + c))));
}

// log(1 + x + lo), x + lo > -1, finite
static float log1p_core(float x, float lo) {
    if (x > -0.2929f && x < 0.4142f) return log_core(x, 0.0f, lo / (1.0f + x));
    float u = 1.0f + x;
    float rest = (x >= 1.0f ? 1.0f - (u - x) : x - (u - 1.0f)) + lo;
    float2 s = split_log(u);
    return log_core(s.x, s.y, rest / u);
}

// log(x + lo), x positive and finite
static float log_of_pair(float x, float lo) {
    float2 s = split_log(x);
    return log_core(s.x, s.y, lo / x);
}
