// SPDX-License-Identifier: Apache-2.0
// The edge cases of OpenCL C 7.5.1 for T, whose bits are BITS: what C99's F.9 does not say, and what the
// functions' own text promises. Prescribed values are exact, and zeros have their sign: 2.5.1-3.
#include "assert.h"

bool same(T expected, T actual) {
    return isnan(expected) ? isnan(actual) : AS_BITS(expected) == AS_BITS(actual);
}
#define SAME(expected, actual) ASSERT(1, same((T)(expected), actual))
#define START                  \
    BITS hidden = (BITS)in[0]; \
    T one = (T)in[1], inf = INFINITY, none = NAN;
#define V(x) AS_T((BITS)(AS_BITS((T)(x)) ^ hidden))  // no compiler knows it
#define NEAR(expected, actual) ASSERT(1, fabs((actual) - (T)(expected)) <= fabs((T)(expected)) * (T)TOLERANCE)

kernel void test_nan(global uint* record, global int* in) {
    START
    // 2.5.1-1: NaN in, NaN out, in each argument
    SAME(none, sin(V(none)));
    SAME(none, exp(V(none)));
    SAME(none, log(V(none)));
    SAME(none, sqrt(V(none)));
    SAME(none, cbrt(V(none)));
    SAME(none, atan2(V(none), one));
    SAME(none, atan2(one, V(none)));
    SAME(none, fmod(one, V(none)));
    SAME(none, fma(one, one, V(none)));
    SAME(none, pow(V(none), V(2)));
    SAME(none, floor(V(none)));
    SAME(none, round(V(none)));
    SAME(none, nextafter(one, V(none)));
    SAME(none, nextafter(V(none), one));
    SAME(none, ldexp(V(none), 3));
    SAME(none, tgamma(V(none)));
    SAME(none, erf(V(none)));
    SAME(none, fdim(one, V(none)));
    SAME(none, fdim(V(none), one));  // 2.5.1-26
    SAME(none, fmod(V(0), V(none)));
    SAME(none, fmod(V(-0.0f), V(none)));  // 2.5.1-27
    SAME(one, fmax(one, V(none)));
    SAME(one, fmax(V(none), one));
    SAME(none, fmax(V(none), V(none)));  // 1.13.2-32, 1.13.2-34
    SAME(one, fmin(one, V(none)));
    SAME(one, fmin(V(none), one));
    SAME(none, fmin(V(none), V(none)));  // 1.13.2-33
    SAME(one, maxmag(one, V(none)));
    SAME(one, maxmag(V(none), one));
    SAME(none, maxmag(V(none), V(none)));  // 1.13.2-49
    SAME(one, minmag(one, V(none)));
    SAME(one, minmag(V(none), one));
    SAME(none, minmag(V(none), V(none)));  // 1.13.2-50
    SAME(-one, minmag(V(-none), -one));
    SAME(-one, maxmag(-one, V(-none)));
    SAME(none, nan((BITS)in[5]));  // 1.13.2-52
}

kernel void test_inverse_trigonometric(global uint* record, global int* in) {
    START
    SAME(0, acospi(V(1)));  // 2.5.1-4
    SAME(none, acospi(V(1.5f)));
    SAME(none, acospi(V(-1.5f)));
    SAME(none, asinpi(V(2)));
    SAME(none, asinpi(V(-inf)));  // 2.5.1-5
    SAME(0, asinpi(V(0)));
    SAME(-0.0f, asinpi(V(-0.0f)));  // 2.5.1-6
    SAME(0, atanpi(V(0)));
    SAME(-0.0f, atanpi(V(-0.0f)));  // 2.5.1-7
    SAME(0.5f, atanpi(V(inf)));
    SAME(-0.5f, atanpi(V(-inf)));  // 2.5.1-8
    SAME(1, atan2pi(V(0), V(-0.0f)));
    SAME(-1, atan2pi(V(-0.0f), V(-0.0f)));  // 2.5.1-9
    SAME(0, atan2pi(V(0), V(0)));
    SAME(-0.0f, atan2pi(V(-0.0f), V(0)));  // 2.5.1-10
    SAME(1, atan2pi(V(0), V(-3)));
    SAME(-1, atan2pi(V(-0.0f), V(-3)));  // 2.5.1-11
    SAME(0, atan2pi(V(0), V(3)));
    SAME(-0.0f, atan2pi(V(-0.0f), V(3)));  // 2.5.1-12
    SAME(-0.5f, atan2pi(V(-3), V(0)));
    SAME(-0.5f, atan2pi(V(-3), V(-0.0f)));  // 2.5.1-13
    SAME(0.5f, atan2pi(V(3), V(0)));
    SAME(0.5f, atan2pi(V(3), V(-0.0f)));  // 2.5.1-14
    SAME(1, atan2pi(V(3), V(-inf)));
    SAME(-1, atan2pi(V(-3), V(-inf)));  // 2.5.1-15
    SAME(0, atan2pi(V(3), V(inf)));
    SAME(-0.0f, atan2pi(V(-3), V(inf)));  // 2.5.1-16
    SAME(0.5f, atan2pi(V(inf), V(3)));
    SAME(-0.5f, atan2pi(V(-inf), V(-3)));  // 2.5.1-17
    SAME(0.75f, atan2pi(V(inf), V(-inf)));
    SAME(-0.75f, atan2pi(V(-inf), V(-inf)));  // 2.5.1-18
    SAME(0.25f, atan2pi(V(inf), V(inf)));
    SAME(-0.25f, atan2pi(V(-inf), V(inf)));  // 2.5.1-19
    // 2.5-1: C99 F.9.1
    SAME(0, acos(V(1)));
    SAME(none, acos(V(2)));
    SAME(-0.0f, asin(V(-0.0f)));
    SAME(-0.0f, atan(V(-0.0f)));
    SAME(0, atan2(V(0), V(0)));
    SAME(-0.0f, atan2(V(-0.0f), V(inf)));
}

kernel void test_trigonometric(global uint* record, global int* in) {
    START
    SAME(1, cospi(V(0)));
    SAME(1, cospi(V(-0.0f)));  // 2.5.1-21
    SAME(0, cospi(V(0.5f)));
    SAME(0, cospi(V(-0.5f)));
    SAME(0, cospi(V(1.5f)));
    SAME(0, cospi(V(100.5f)));  // 2.5.1-22
    SAME(none, cospi(V(inf)));
    SAME(none, cospi(V(-inf)));  // 2.5.1-23
    SAME(0, sinpi(V(0)));
    SAME(-0.0f, sinpi(V(-0.0f)));  // 2.5.1-69
    SAME(0, sinpi(V(1)));
    SAME(0, sinpi(V(2)));
    SAME(-0.0f, sinpi(V(-1)));
    SAME(-0.0f, sinpi(V(-100)));  // 2.5.1-70
    SAME(none, sinpi(V(inf)));
    SAME(none, sinpi(V(-inf)));  // 2.5.1-71
    SAME(0, tanpi(V(0)));
    SAME(-0.0f, tanpi(V(-0.0f)));  // 2.5.1-72
    SAME(none, tanpi(V(inf)));
    SAME(none, tanpi(V(-inf)));  // 2.5.1-73
    SAME(0, tanpi(V(2)));
    SAME(-0.0f, tanpi(V(-4)));  // 2.5.1-74
    SAME(-0.0f, tanpi(V(1)));
    SAME(0, tanpi(V(-3)));  // 2.5.1-75
    SAME(inf, tanpi(V(0.5f)));
    SAME(inf, tanpi(V(-1.5f)));
    SAME(inf, tanpi(V(2.5f)));  // 2.5.1-76
    SAME(-inf, tanpi(V(1.5f)));
    SAME(-inf, tanpi(V(-0.5f)));
    SAME(-inf, tanpi(V(3.5f)));  // 2.5.1-77
    SAME(none, sin(V(inf)));
    SAME(none, cos(V(-inf)));
    SAME(none, tan(V(inf)));
    SAME(-0.0f, sin(V(-0.0f)));
    SAME(1, cos(V(-0.0f)));
}

kernel void test_rounding(global uint* record, global int* in) {
    START
    SAME(-0.0f, ceil(V(-0.5f)));
    SAME(-0.0f, ceil(V(-0.0f)));
    SAME(1, ceil(V(0.25f)));  // 2.5.1-20
    SAME(-0.0f, rint(V(-0.5f)));
    SAME(-0.0f, rint(V(-0.25f)));  // 2.5.1-60
    SAME(2, rint(V(1.5f)));
    SAME(2, rint(V(2.5f)));
    SAME(-2, rint(V(-1.5f)));  // 2.5.2-2, 1.13.2-59
    SAME(-0.0f, round(V(-0.25f)));
    SAME(-0.0f, round(V(-BELOW_HALF)));
    SAME(0, round(V(BELOW_HALF)));  // 2.5.1-68
    SAME(1, round(V(0.5f)));
    SAME(-1, round(V(-0.5f)));
    SAME(3, round(V(2.5f)));
    SAME(-4, round(V(-3.5f)));  // 1.13.2-61
    SAME(LARGEST_ODD, round(V(LARGEST_ODD)));
    SAME(-LARGEST_ODD, round(V(-LARGEST_ODD)));
    SAME(inf, round(V(inf)));
    SAME(-0.0f, trunc(V(-0.75f)));
    SAME(1, trunc(V(1.75f)));  // 2.5.1-78
    SAME(-1, floor(V(-0.25f)));
    SAME(-0.0f, floor(V(-0.0f)));
    T whole;  // 2.5.1-30
    SAME(0, fract(V(0), &whole));
    SAME(0, whole);  // 2.5.1-31
    SAME(-0.0f, fract(V(-0.0f), &whole));
    SAME(-0.0f, whole);  // 2.5.1-32
    SAME(0, fract(V(inf), &whole));
    SAME(inf, whole);  // 2.5.1-33
    SAME(-0.0f, fract(V(-inf), &whole));
    SAME(-inf, whole);  // 2.5.1-34
    SAME(none, fract(V(none), &whole));
    SAME(none, whole);                 // 2.5.1-35
    T rest = fract(V(-TINY), &whole);  // 1.13.2-36: never 1
    ASSERT(1, rest < 1 && rest > (T)0.75f);
    SAME(-1, whole);
    SAME(0, modf(V(inf), &whole));
    SAME(inf, whole);
    SAME(-0.0f, modf(V(-inf), &whole));
    SAME(-inf, whole);  // 2.5.2-1
    SAME(-0.0f, modf(V(-3), &whole));
    SAME(-3, whole);
    SAME(-0.5f, modf(V(-0.5f), &whole));
    SAME(-0.0f, whole);
    SAME(none, modf(V(none), &whole));
    SAME(none, whole);
}

kernel void test_parts(global uint* record, global int* in) {
    START
    int n = 77;
    SAME(inf, frexp(V(inf), &n));
    ASSERT(0, n);
    n = 77;
    SAME(-inf, frexp(V(-inf), &n));
    ASSERT(0, n);  // 2.5.1-28
    n = 77;
    SAME(none, frexp(V(none), &n));
    ASSERT(0, n);  // 2.5.1-29
    n = 77;
    SAME(-0.0f, frexp(V(-0.0f), &n));
    ASSERT(0, n);
    SAME(0.75f, frexp(V(6), &n));
    ASSERT(3, n);  // 1.13.2-37
    ASSERT(FP_ILOGB0, ilogb(V(0)));
    ASSERT(FP_ILOGBNAN, ilogb(V(none)));
    ASSERT(2, ilogb(V(-7)));  // 1.13.2-39
    SAME(-inf, logb(V(0)));
    SAME(inf, logb(V(-inf)));
    SAME(2, logb(V(-7)));  // 1.13.2-47
    // 2.5.1-38, 2.5.1-39, 2.5.3-3: the least number, or the least normal one where denormals are flushed
    BITS up = AS_BITS(nextafter(V(-0.0f), one)), down = AS_BITS(nextafter(V(0), -one)),
         sign = AS_BITS(V(-0.0f));
    ASSERT(1, up == 1 || up == LEAST_NORMAL);
    ASSERT(1, down == (sign | 1) || down == (sign | LEAST_NORMAL));
    SAME(inf, nextafter(V(LARGEST), V(inf)));
    SAME(-LARGEST, nextafter(V(-inf), V(0)));  // 1.13.2-53
    ASSERT(1, AS_BITS(nextafter(V(-0.0f), V(0))) == 0);
    ASSERT(1, AS_BITS(nextafter(V(0), V(-0.0f))) == sign);
    SAME(-one, copysign(one, V(-0.0f)));
    SAME(inf, copysign(V(-inf), one));
    SAME(0, fabs(V(-0.0f)));  // 1.13.2-18, 1.13.2-28
    SAME(inf, ldexp(one, 20000));
    SAME(0, ldexp(one, -20000));
    SAME(-0.0f, ldexp(-one, -20000));
    SAME(48, ldexp(V(3), 4));  // 1.13.2-40
    SAME(0, fdim(one, V(2)));
    SAME(1, fdim(V(2), one));
    SAME(0, fdim(V(inf), V(inf)));  // 1.13.2-29
}

kernel void test_powers(global uint* record, global int* in) {
    START
    SAME(0, exp10(V(-inf)));
    SAME(inf, exp10(V(inf)));  // 2.5.1-24
    SAME(inf, pow(V(0), V(-inf)));
    SAME(inf, pow(V(-0.0f), V(-inf)));  // 2.5.1-44
    SAME(1, pow(V(none), V(0)));
    SAME(1, pow(one, V(none)));
    SAME(1, pow(-one, V(inf)));  // C99 F.9.4.4
    SAME(1, pown(V(0), 0));
    SAME(1, pown(V(inf), 0));
    SAME(1, pown(V(none), 0));
    SAME(1, pown(V(-3), 0));  // 2.5.1-45
    SAME(inf, pown(V(0), -3));
    SAME(-inf, pown(V(-0.0f), -3));  // 2.5.1-46
    SAME(inf, pown(V(0), -2));
    SAME(inf, pown(V(-0.0f), -2));  // 2.5.1-47
    SAME(0, pown(V(0), 4));
    SAME(0, pown(V(-0.0f), 4));  // 2.5.1-48
    SAME(0, pown(V(0), 3));
    SAME(-0.0f, pown(V(-0.0f), 3));  // 2.5.1-49
    SAME(1, powr(V(2), V(0)));
    SAME(1, powr(V(2), V(-0.0f)));  // 2.5.1-50
    SAME(inf, powr(V(0), V(-2)));
    SAME(inf, powr(V(-0.0f), V(-3)));  // 2.5.1-51
    SAME(inf, powr(V(0), V(-inf)));
    SAME(inf, powr(V(-0.0f), V(-inf)));  // 2.5.1-52
    SAME(0, powr(V(0), V(3)));
    SAME(0, powr(V(-0.0f), V(3)));  // 2.5.1-53
    SAME(1, powr(one, V(7)));
    SAME(1, powr(one, V(-0.5f)));  // 2.5.1-54
    SAME(none, powr(V(-2), V(2)));
    SAME(none, powr(V(-inf), V(1)));  // 2.5.1-55
    SAME(none, powr(V(0), V(0)));
    SAME(none, powr(V(-0.0f), V(-0.0f)));  // 2.5.1-56
    SAME(none, powr(V(inf), V(0)));
    SAME(none, powr(V(inf), V(-0.0f)));  // 2.5.1-57
    SAME(none, powr(one, V(inf)));
    SAME(none, powr(one, V(-inf)));  // 2.5.1-58
    SAME(none, powr(V(2), V(none)));
    SAME(none, powr(V(0), V(none)));
    SAME(none, powr(V(none), V(2)));  // 2.5.1-59
    SAME(inf, rootn(V(0), -3));
    SAME(-inf, rootn(V(-0.0f), -3));  // 2.5.1-62
    SAME(inf, rootn(V(0), -2));
    SAME(inf, rootn(V(-0.0f), -2));  // 2.5.1-63
    SAME(0, rootn(V(0), 2));
    SAME(0, rootn(V(-0.0f), 2));  // 2.5.1-64
    SAME(0, rootn(V(0), 3));
    SAME(-0.0f, rootn(V(-0.0f), 3));  // 2.5.1-65
    SAME(none, rootn(V(-4), 2));
    SAME(none, rootn(V(-4), -2));
    SAME(none, rootn(V(4), 0));
    SAME(none, rootn(V(0), 0));  // 2.5.1-66, 2.5.1-67
    SAME(-2, rootn(V(-8), 3));
    SAME(-inf, log(V(0)));
    SAME(none, log(V(-1)));
    SAME(0, log(one));
    SAME(-inf, log1p(V(-1)));
    SAME(-0.0f, expm1(V(-0.0f)));
    SAME(inf, rsqrt(V(0)));
    SAME(0, rsqrt(V(inf)));
    SAME(none, sqrt(V(-1)));
    SAME(-0.0f, sqrt(V(-0.0f)));
    SAME(inf, hypot(V(-inf), V(none)));
}

kernel void test_others(global uint* record, global int* in) {
    START
    int n = 77;
    lgamma_r(V(0), &n);
    ASSERT(0, n);
    n = 77;
    lgamma_r(V(-3), &n);
    ASSERT(0, n);  // 2.5.1-37
    SAME(inf, lgamma(V(0)));
    SAME(inf, lgamma(V(-3)));
    SAME(0, lgamma(V(1)));
    SAME(0, lgamma(V(2)));
    SAME(0, lgamma_r(V(1), &n));  // 0, not -0 (C99 F.9.5.3)
    lgamma_r(V(-0.5f), &n);
    ASSERT(-1, n);
    lgamma_r(V(2.5f), &n);
    ASSERT(1, n);
    lgamma_r(V(-LARGEST_ODD / 2), &n);  // the least number that is not whole
    ASSERT(1, n);
    lgamma_r(V(1 - LARGEST_ODD / 2), &n);
    ASSERT(-1, n);
    // 2.5.1-61
    n = 77;
    SAME(none, remquo(V(inf), one, &n));
    ASSERT(0, n);
    n = 77;
    SAME(none, remquo(one, V(0), &n));
    ASSERT(0, n);
    n = 77;
    SAME(none, remquo(V(none), one, &n));
    ASSERT(0, n);
    n = 77;
    SAME(none, remquo(one, V(none), &n));
    ASSERT(0, n);
    SAME(-1, remquo(V(5), V(3), &n));
    ASSERT(2, n & 127);
    SAME(1, remquo(V(-5), V(3), &n));
    ASSERT(-2 & 127, n & 127);  // 1.13.2-58
    SAME(0, remainder(V(4), V(2)));
    SAME(-0.0f, remainder(V(-4), V(2)));
    SAME(1, remainder(V(5), V(2)));
    SAME(-1, remainder(V(7), V(2)));  // 1.13.2-57
    SAME(1, fmod(V(5), V(-2)));
    SAME(-1, fmod(V(-5), V(2)));
    SAME(3, fmod(V(3), V(inf)));  // 1.13.2-35
}

kernel void test_lengths(global uint* record, global int* in) {
    START
    T2 large = (T2)(3 * BIG, 4 * BIG) * one, small = (T2)(3 * LITTLE, 4 * LITTLE) * one,
       zero = (T2)(V(0), V(-0.0f));
    NEAR(5 * BIG, length(large));
    NEAR(5 * LITTLE, length(small));  // 2.5.1-36, 1.13.5-5
    NEAR(5 * BIG, distance(large, zero));
    NEAR(5 * LITTLE, distance(zero, small));  // 2.5.1-25, 1.13.5-4
    NEAR((T)0.6f, normalize(large).x);
    NEAR((T)0.8f, normalize(small).y);
    NEAR(1, normalize(V(7)));  // 2.5.1-40, 1.13.5-6
    ASSERT(1, AS_BITS(normalize(zero).x) == 0);
    SAME(-0.0f, normalize(zero).y);  // 2.5.1-41
    T3 poisoned = normalize((T3)(one, V(none), V(2)));
    SAME(none, poisoned.x);
    SAME(none, poisoned.y);
    SAME(none, poisoned.z);                                  // 2.5.1-42
    T4 far = normalize((T4)(V(inf), V(5), V(-inf), V(-5)));  // 2.5.1-43
    NEAR((T)0.70710678f, far.x);
    ASSERT(1, far.y == 0);
    NEAR((T)-0.70710678f, far.z);
    ASSERT(1, far.w == 0);
    NEAR(5 * BIG, hypot(large.x, large.y));
    NEAR(5 * LITTLE, hypot(small.x, small.y));  // 1.13.2-38
}
