// SPDX-License-Identifier: Apache-2.0
// What the functions share, for float and double alike: bits, pairs (a value as the unevaluated sum of two numbers, .x
// the larger), and the cores of exp and log. No step relies on a fused fma, on a division or a square root that rounds
// correctly, or on denormals in arithmetic: Vulkan promises none of them. Sums and products are rounded one by one: the
// translator decorates library code NoContraction. mad() stands where it does not matter whether the product is rounded: it is
// one instruction where the device's Fma is fused.
#pragma once

#define LIBRARY __attribute__((overloadable))

#define HIDDEN_BIT ((bits)1 << FRACTION_BITS)
#define FRACTION_MASK (HIDDEN_BIT - 1)
#define SIGN_BIT ((bits)1 << (WORD_BITS - 1))
#define INF_BITS ((bits)(2 * EXPONENT_BIAS + 1) << FRACTION_BITS)
#define NAN_VALUE AS_REAL(INF_BITS | (HIDDEN_BIT >> 1))
#define INF_VALUE AS_REAL(INF_BITS)

static bits magnitude_bits(real x) { return AS_BITS(x) & ~SIGN_BIT; }
static bool is_nan(real x) { return magnitude_bits(x) > INF_BITS; }
static bool is_inf(real x) { return magnitude_bits(x) == INF_BITS; }
static bool is_zero(real x) { return magnitude_bits(x) == 0; }
static bool is_negative(real x) { return (AS_BITS(x) & SIGN_BIT) != 0; }
// |x|, a denormal one too: the device's fabs() may flush it.
static real magnitude(real x) { return AS_REAL(magnitude_bits(x)); }
static real with_sign_of(real magnitude, real sign) {
    return AS_REAL((AS_BITS(magnitude) & ~SIGN_BIT) | (AS_BITS(sign) & SIGN_BIT));
}

// ---- Pairs ----

// The low part of a smaller number's pair may be a denormal, which the device may flush.
#define PAIRS_FROM R(1.0e-10)

static real2 fast_two_sum(real a, real b) {  // |a| >= |b| or a == 0
    real s = a + b;
    return (real2)(s, b - (s - a));
}
static real2 two_sum(real a, real b) {
    real s = a + b;
    real t = s - a;
    return (real2)(s, (a - (s - t)) + (b - t));
}
// The leading half of the bits of x; x minus them is exact.
static real leading(real x) { return AS_REAL(AS_BITS(x) & LEADING_MASK); }
real LIBRARY product_error(real a, real b, real p);  // product_error.inc
// Exact unless it overflows or a part underflows.
static real2 two_product(real a, real b) {
    real p = a * b;
    return (real2)(p, product_error(a, b, p));
}
static real2 pair_product(real2 a, real2 b) {
    real2 p = two_product(a.x, b.x);
    return fast_two_sum(p.x, p.y + mad(a.x, b.y, a.y * b.x));
}
static real2 pair_add(real2 a, real b) {
    real2 s = two_sum(a.x, b);
    return fast_two_sum(s.x, s.y + a.y);
}
// a / b and sqrt(a) to almost twice the precision, away from overflow and underflow.
static real2 pair_quotient(real2 a, real2 b) {
    real inverse = 1.0f / b.x, q = a.x * inverse;
    real2 p = two_product(q, b.x);
    real rest = ((a.x - p.x) - p.y) + mad(-q, b.y, a.y);
    return fast_two_sum(q, rest * inverse);
}
static real2 pair_sqrt(real2 a) {
    if (a.x == 0.0f) return (real2)(a.x, 0.0f);
    real inverse = rsqrt(a.x), s = a.x * inverse;
    real2 p = two_product(s, s);
    return fast_two_sum(s, (((a.x - p.x) - p.y) + a.y) * (0.5f * inverse));
}
static real quotient(real a, real b) {
    real2 q = pair_quotient((real2)(a, 0.0f), (real2)(b, 0.0f));
    return q.x + q.y;
}

// ---- Whole numbers up to 2^21, by sums: devices convert and round at a quarter of the rate or less ----

// The whole number next to x in a sum x + ROUNDER, which is a number again less ROUNDER.
static int whole_of(real sum) { return (int)(AS_BITS(sum) - AS_BITS(ROUNDER)); }
static real real_of(int n) { return AS_REAL(AS_BITS(ROUNDER) + (bits)n) - ROUNDER; }

// ---- Scaling ----

static real power_of_two(int n) { return AS_REAL((bits)(n + EXPONENT_BIAS) << FRACTION_BITS); }
// x * 2^n for up to twice the range of exponents: two steps, so the result is rounded once when it is normal.
static real scale(real x, int n) {
    int half_n = n >> 1;
    return x * power_of_two(half_n) * power_of_two(n - half_n);
}

// ---- exp ----

// 2^(h + l): any h; l small. NaN stays NaN.
static real exp2_of_pair(real h, real l) {
    real c = h > EXP2_HIGHEST ? EXP2_HIGHEST : h < EXP2_LOWEST ? EXP2_LOWEST : h;
    real sum = c + ROUNDER;
    real r = (c - (sum - ROUNDER)) + (c == h ? l : 0.0f);
    return scale(mad(r, poly_exp2(r), R(1.0)), whole_of(sum));
}

// exp(x) * 2^shift with one reduction; lo is added to x.
static real exp_core(real x, real lo, int shift) {
    real c = x > EXP_HIGHEST ? EXP_HIGHEST : x < EXP_LOWEST ? EXP_LOWEST : x;
    real sum = mad(c, LOG2_E_HIGH, ROUNDER), n = sum - ROUNDER;
    real r = mad(-n, LN2_LOW, mad(-n, LN2_HIGH, c)) + lo;
    return scale(1.0f + mad(r * r, poly_exp(r), r), whole_of(sum) + shift);
}

// expm1(x) * 2^shift, for x below overflow
static real expm1_core(real x, int shift) {
    real c = x < EXPM1_LOWEST ? EXPM1_LOWEST : x;
    real sum = mad(c, LOG2_E_HIGH, ROUNDER), n = sum - ROUNDER;
    real r = mad(-n, LN2_LOW, mad(-n, LN2_HIGH, c));
    real e = mad(r * r, poly_expm1(r), r);
    if (n == 0.0f) return scale(e, shift);
    real t = power_of_two(whole_of(sum) - 1);  // half of 2^n, which is beyond the largest number for the largest n
    return scale(mad(t, e, t - 0.5f), shift + 1);
}

// ---- log ----

// x = (1 + f) 2^e with 1 + f in [sqrt(1/2), sqrt(2)): (f, e). x is positive and finite, denormals included.
static real2 split_log(real x) {
    bits b = AS_BITS(x);
    int e = 0;
    if (b < HIDDEN_BIT) {
        int s = (int)clz(b) - (WORD_BITS - 1 - FRACTION_BITS);
        b <<= s;
        e = -s;
    }
    b += ONE_BITS - SQRT_HALF_BITS;
    e += (int)(b >> FRACTION_BITS) - EXPONENT_BIAS;
    b = (b & FRACTION_MASK) + SQRT_HALF_BITS;
    return (real2)(AS_REAL(b) - 1.0f, real_of(e));
}

// log((1 + f) 2^e) + c
static real log_core(real f, real e, real c) {
    real half_square = 0.5f * f * f;
    real rest = f * f * f * poly_log(f);
    return mad(e, LN2_HIGH, f - (half_square - (rest + mad(e, LN2_LOW, c))));
}

// log(1 + x + lo), x + lo > -1, finite
static real log1p_core(real x, real lo) {
    if (x > -R(0.2929) && x < R(0.4142)) return log_core(x, 0.0f, lo == 0.0f ? 0.0f : lo / (1.0f + x));
    real u = 1.0f + x;
    real rest = (x >= 1.0f ? 1.0f - (u - x) : x - (u - 1.0f)) + lo;
    real2 s = split_log(u);
    return log_core(s.x, s.y, rest / u);
}

// log(x + lo), x positive and finite
static real log_of_pair(real x, real lo) {
    real2 s = split_log(x);
    return log_core(s.x, s.y, lo / x);
}
