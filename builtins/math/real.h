// SPDX-License-Identifier: Apache-2.0
// What the functions share, for float and double: bits, pairs (a value as the unevaluated sum of two numbers,
// .x the larger), and the cores of exp and log. No step relies on a fused fma, on a division or square root
// that rounds correctly, or on denormals in arithmetic, because Vulkan guarantees none of these. Sums and
// products are rounded one by one: the translator decorates library code NoContraction. mad() is used where
// rounding of the product does not matter: it is one instruction if the device's Fma is fused. On a GPU, a
// branch costs as much as eight additions even if all work-items take the same side, and a selection less
// than three. So both sides are computed, and only rare and long cases have a branch, at the end.
#pragma once

#define LIBRARY __attribute__((overloadable))

#define HIDDEN_BIT ((bits)1 << FRACTION_BITS)
#define FRACTION_MASK (HIDDEN_BIT - 1)
#define SIGN_BIT ((bits)1 << (WORD_BITS - 1))
#define INF_BITS ((bits)(2 * EXPONENT_BIAS + 1) << FRACTION_BITS)
#define NAN_VALUE AS_REAL(INF_BITS | (HIDDEN_BIT >> 1))
#define INF_VALUE AS_REAL(INF_BITS)

static uint upper_word(bits b) { return (uint)(b >> (WORD_BITS - 32)); }  // of float all bits
static bits magnitude_bits(real x) { return AS_BITS(x) & ~SIGN_BIT; }
static bool is_nan(real x) { return magnitude_bits(x) > INF_BITS; }
static bool is_inf(real x) { return magnitude_bits(x) == INF_BITS; }
static bool is_zero(real x) { return magnitude_bits(x) == 0; }
static bool is_negative(real x) { return (AS_BITS(x) & SIGN_BIT) != 0; }
// |x|, a denormal one too: the device's fabs() may flush it.
static real magnitude(real x) { return AS_REAL(magnitude_bits(x)); }
// `magnitude` is not negative, or has that sign.
static real with_sign_of(real magnitude, real sign) {
    return AS_REAL(AS_BITS(magnitude) | (AS_BITS(sign) & SIGN_BIT));
}

// ---- Pairs ----

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
real LIBRARY exact_difference(real a, real b, real c);
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
// a / b to almost twice the precision, for b from 2^-100 to 2^100.
static real2 pair_quotient(real2 a, real2 b) {
    real i = inverse(b.x), q = a.x * i;
    real2 p = two_product(q, b.x);
    real rest = ((a.x - p.x) - p.y) + mad(-q, b.y, a.y);
    return fast_two_sum(q, rest * i);
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

// The following functions have two versions. The translator chooses exp_device.cl (float only) if the
// device's Exp2 is exact enough for them, else exp_polynomial.inc.

// exp(x) * 2^shift for a shift of 0 or -1, 2^x, 10^x, 2^(h + l) for |l| < |h| / 16; any x and h, NaN stays
// NaN.
real LIBRARY exp_core(real x, int shift);
real LIBRARY exp2_core(real x);
real LIBRARY exp10_core(real x);
real LIBRARY exp2_of_pair(real h, real l);
// 2^x, -100 <= x <= 100 or NaN
real LIBRARY exp2_bounded(real x);

// ---- log ----

// x = y 2^e with a normal y where x > 0: (y, e), or (x, 0) for a denormal that the device may flush
// (normal.inc).
real2 LIBRARY normal(real x);

// x = (1 + f) 2^e with 1 + f in [2/3, 4/3): (f, e + more). x is positive and normal.
static real2 split_log(real x, real more) {
    bits exponent = (AS_BITS(x) - TWO_THIRDS_BITS) & ~FRACTION_MASK;
    return (real2)(AS_REAL(AS_BITS(x) - exponent) - 1.0f, exponent_value(exponent, more));
}

// log((1 + f) 2^e)
static real log_core(real f, real e) { return mad(e, R(0.69314718055994531), mad(f * f, poly_log(f), f)); }

// (f, e) for 1 + x, -1 < x < 2^100; the product is exact.
static real2 split_log1p(real x) {
    bits exponent = (AS_BITS(1.0f + x) - TWO_THIRDS_BITS) & ~FRACTION_MASK;
    real s = AS_REAL(ONE_BITS - exponent);
    return (real2)(mad(x, s, s - 1.0f), exponent_value(exponent, 0.0f));
}
