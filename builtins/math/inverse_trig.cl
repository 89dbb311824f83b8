// SPDX-License-Identifier: Apache-2.0
// asin, acos (at most 4 ulp), atan, asinpi, acospi, atanpi (5 ulp), atan2, atan2pi (6 ulp) (OpenCL C 6.13.2).
#include "trig.h"

#define PI_4_HIGH 7.85398185e-01f
#define PI_4_LOW -2.18556941e-08f

static float times_1_pi(float2 x) {
    float2 p = pair_product(x, (float2)(3.18309873e-01f, 1.28412765e-08f));
    return p.x + p.y;
}

// asin(sqrt(z)) = s + s z P(z), as 2 (s + ...) for z = (1 - a) / 2
static float2 twice_asin_of_half(float a) {
    float z = 0.5f * (1.0f - a);
    float2 s = pair_sqrt((float2)(z, 0.0f));
    return (float2)(2.0f * s.x, 2.0f * (s.y + s.x * z * poly_asin(z)));
}

static float2 asin_pair(float x) {
    float a = fabs(x);
    if (a <= 0.5f) {
        float z = x * x;
        return fast_two_sum(x, x * z * poly_asin(z));
    }
    float2 s = twice_asin_of_half(a);
    float2 sum = two_sum(PI_2_HIGH, -s.x);
    float2 out = fast_two_sum(sum.x, sum.y + (PI_2_LOW - s.y));
    return is_negative(x) ? -out : out;
}

static float2 acos_pair(float x) {
    if (fabs(x) <= 0.5f) {
        float z = x * x;
        float2 sum = two_sum(PI_2_HIGH, -x);
        return fast_two_sum(sum.x, sum.y + (PI_2_LOW - x * z * poly_asin(z)));
    }
    float2 s = twice_asin_of_half(fabs(x));
    if (!is_negative(x)) return s;
    float2 sum = two_sum(PI_HIGH, -s.x);
    return fast_two_sum(sum.x, sum.y + (PI_LOW - s.y));
}

static bool outside_unit(float x) { return magnitude_bits(x) > 0x3f800000u; }

float LIBRARY asin(float x) {
    if (outside_unit(x)) return NAN_VALUE;
    if (is_zero(x)) return x;
    float2 r = asin_pair(x);
    return r.x + r.y;
}

float LIBRARY acos(float x) {
    if (outside_unit(x)) return NAN_VALUE;
    float2 r = acos_pair(x);
    return r.x + r.y;
}

float LIBRARY asinpi(float x) {
    if (outside_unit(x)) return NAN_VALUE;
    return is_zero(x) ? x : times_1_pi(asin_pair(x));
}

float LIBRARY acospi(float x) { return outside_unit(x) ? NAN_VALUE : times_1_pi(acos_pair(x)); }

// atan(a / b) for a, b >= 0, not both zero, sum below overflow
static float2 atan_pair(float a, float b) {
    float2 t, base;
    if (a > 2.4142f * b) {
        t = pair_quotient((float2)(-b, 0.0f), (float2)(a, 0.0f));
        base = (float2)(PI_2_HIGH, PI_2_LOW);
    } else if (a > 0.41422f * b) {
        t = pair_quotient(two_sum(a, -b), two_sum(a, b));
        base = (float2)(PI_4_HIGH, PI_4_LOW);
    } else {
        t = pair_quotient((float2)(a, 0.0f), (float2)(b, 0.0f));
        base = (float2)(0.0f, 0.0f);
    }
    float z = t.x * t.x;
    float2 sum = two_sum(base.x, t.x);
    return fast_two_sum(sum.x, sum.y + (base.y + (t.y + t.x * z * poly_atan(z))));
}

static float2 atan_of(float x) {
    float a = fabs(x);
    float2 r = (float2)(a, 0.0f);
    if (a > 1.0e10f) r = (float2)(PI_2_HIGH, PI_2_LOW);
    else if (a > 1.0e-4f) r = atan_pair(a, 1.0f);
    else r.y = a * a * a * -0.333333343f;
    return is_negative(x) ? -r : r;
}

float LIBRARY atan(float x) {
    if (is_zero(x) || is_nan(x)) return x;
    float2 r = atan_of(x);
    return r.x + r.y;
}

float LIBRARY atanpi(float x) {
    if (is_zero(x) || is_nan(x)) return x;
    return times_1_pi(atan_of(x));
}

// The angle of (x, y) without y's sign.
static float2 angle(float y, float x) {
    float a = fabs(y), b = fabs(x);
    if (is_inf(a) || is_inf(b)) {
        a = is_inf(a) ? 1.0f : 0.0f;
        b = is_inf(b) ? 1.0f : 0.0f;
    }
    float2 r;
    if (is_zero(a)) {
        r = (float2)(0.0f, 0.0f);
    } else {
        // Bring the larger one near 1; what is 2^60 times smaller does not matter or is divided as it stands.
        float larger = a > b ? a : b;
        float factor = larger > 1.0e18f ? 1.0e-18f : larger < 1.0e-18f ? 1.0e18f : 1.0f;
        if (a < b * 1.0e-9f) r = (float2)(a / b, 0.0f);
        else if (b < a * 1.0e-9f) r = (float2)(PI_2_HIGH, PI_2_LOW - b / a);
        else r = atan_pair(a * factor, b * factor);
    }
    if (!is_negative(x)) return r;
    float2 sum = two_sum(PI_HIGH, -r.x);
    return fast_two_sum(sum.x, sum.y + (PI_LOW - r.y));
}

float LIBRARY atan2(float y, float x) {
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    float2 r = angle(y, x);
    return with_sign_of(r.x + r.y, y);
}

float LIBRARY atan2pi(float y, float x) {
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    return with_sign_of(times_1_pi(angle(y, x)), y);
}
