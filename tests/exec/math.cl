// SPDX-License-Identifier: Apache-2.0
// Math functions against the host's in double precision, within the bounds of OpenCL C 7.4: 2.4-1, and the values of
// 1.13.2. Each runs as a scalar and as a vector, whose lanes must agree with it bit for bit.
#include "assert.h"

int ulps_apart(float expected, float actual) {
    int a = as_int(expected), b = as_int(actual);
    a = a < 0 ? (int)0x80000000 - a : a;
    b = b < 0 ? (int)0x80000000 - b : b;
    return abs(a - b);
}

#define CHECK1(f, ulps, x0, e0, x1, e1, x2, e2, x3, e3)                                         \
    {                                                                                           \
        float4 x = (float4)(x0, x1, x2, x3) + zero, e = (float4)(as_float(e0), as_float(e1), as_float(e2), as_float(e3)); \
        float4 v = f(x);                                                                        \
        ASSERT(1, ulps_apart(e.x, v.x) <= ulps); ASSERT(1, ulps_apart(e.y, v.y) <= ulps);            \
        ASSERT(1, ulps_apart(e.z, v.z) <= ulps); ASSERT(1, ulps_apart(e.w, v.w) <= ulps);            \
        ASSERT(as_uint(v.z), as_uint(f(x.z)));                                                  \
        ASSERT(as_uint(v.w), as_uint(f(x.zwzwzwzw).s7));                                        \
    }
#define CHECK2(f, ulps, x0, y0, e0, x1, y1, e1, x2, y2, e2, x3, y3, e3)                         \
    {                                                                                           \
        float4 x = (float4)(x0, x1, x2, x3) + zero, y = (float4)(y0, y1, y2, y3);               \
        float4 e = (float4)(as_float(e0), as_float(e1), as_float(e2), as_float(e3)), v = f(x, y); \
        ASSERT(1, ulps_apart(e.x, v.x) <= ulps); ASSERT(1, ulps_apart(e.y, v.y) <= ulps);            \
        ASSERT(1, ulps_apart(e.z, v.z) <= ulps); ASSERT(1, ulps_apart(e.w, v.w) <= ulps);            \
        ASSERT(as_uint(v.y), as_uint(f(x.y, y.y)));                                             \
    }

kernel void test_functions_1(global uint *record, global int *in) {
    float zero = in[0];
    CHECK1(sin, 4, (0.5f), 0x3ef57744, (-3.0f), 0xbe1081c3, (100.25f), 0xbe8df805, (1000000.0f), 0xbeb33259)
    CHECK1(cos, 4, (0.5f), 0x3f60a940, (-3.0f), 0xbf7d7026, (100.25f), 0x3f75f639, (1000000.0f), 0x3f6fcefd)
    CHECK1(tan, 5, (0.5f), 0x3f0bda7b, (-3.0f), 0x3e11f7b9, (10.25f), 0x3f8a9fa4, (100000.0f), 0xbd12854f)
    CHECK1(asin, 4, (0.5f), 0x3f060a92, (-0.9375f), 0xbf9b9169, (0.0010000000474974513f), 0x3a831270, (1.0f), 0x3fc90fdb)
    CHECK1(acos, 4, (0.5f), 0x3f860a92, (-0.9375f), 0x403250a2, (0.0010000000474974513f), 0x3fc8ef16, (-1.0f), 0x40490fdb)
    CHECK1(atan, 5, (0.5f), 0x3eed6338, (-3.0f), 0xbf9fe0bb, (1000000.0f), 0x3fc90fd2, (9.999999974752427e-07f), 0x358637bd)
    CHECK1(sinh, 4, (0.5f), 0x3f056680, (-3.0f), 0xc1204937, (20.0f), 0x4d675844, (9.999999747378752e-05f), 0x38d1b717)
    CHECK1(cosh, 4, (0.5f), 0x3f90560c, (-3.0f), 0x41211525, (20.0f), 0x4d675844, (9.999999747378752e-05f), 0x3f800000)
}
kernel void test_functions_2(global uint *record, global int *in) {
    float zero = in[0];
    CHECK1(tanh, 5, (0.5f), 0x3eec9a9f, (-3.0f), 0xbf7ebbe9, (20.0f), 0x3f800000, (9.999999747378752e-05f), 0x38d1b717)
    CHECK1(asinh, 4, (0.5f), 0x3ef66165, (-3.0f), 0xbfe8c2db, (1000000.0f), 0x41682376, (9.999999747378752e-05f), 0x38d1b717)
    CHECK1(acosh, 4, (1.5f), 0x3f766165, (3.0f), 0x3fe1a1b3, (1000000.0f), 0x41682376, (1.0625f), 0x3eb416ec)
    CHECK1(atanh, 5, (0.5f), 0x3f0c9f54, (-0.9375f), 0xbfdbc672, (9.999999747378752e-05f), 0x38d1b717, (0.25f), 0x3e82c578)
    CHECK1(exp, 3, (0.5f), 0x3fd3094c, (-3.0f), 0x3d4bed86, (80.0f), 0x792abbce, (-80.0f), 0x05bfecba)
    CHECK1(exp2, 3, (0.5f), 0x3fb504f3, (-3.25f), 0x3dd744fd, (100.5f), 0x71b504f3, (-100.5f), 0x0d3504f3)
    CHECK1(exp10, 3, (0.5f), 0x404a62c2, (-3.25f), 0x3a136a16, (30.5f), 0x721fa77b, (-30.5f), 0x0ccd3e5a)
    CHECK1(expm1, 3, (0.5f), 0x3f261299, (-3.0f), 0xbf734128, (9.999999747378752e-06f), 0x3727c5e3, (20.0f), 0x4de75844)
}
kernel void test_functions_3(global uint *record, global int *in) {
    float zero = in[0];
    CHECK1(log, 3, (0.5f), 0xbf317218, (3.0f), 0x3f8c9f54, (1.0000000150474662e+30f), 0x428a27b5, (1.0009765625f), 0x3a7fe005)
    CHECK1(log2, 3, (0.75f), 0xbed47fcc, (3.0f), 0x3fcae00d, (1.0000000150474662e+30f), 0x42c750d1, (1.0009765625f), 0x3ab8932a)
    CHECK1(log10, 3, (0.5f), 0xbe9a209b, (3.0f), 0x3ef4493d, (1.0000000150474662e+30f), 0x41f00000, (1.0009765625f), 0x39de4012)
    CHECK1(log1p, 2, (0.5f), 0x3ecf991f, (-0.75f), 0xbfb17218, (9.999999747378752e-06f), 0x3727c575, (10000000000.0f), 0x41b834f1)
    CHECK1(sqrt, 3, (0.5f), 0x3f3504f3, (3.0f), 0x3fddb3d7, (1.0000000150474662e+30f), 0x58635fa9, (1.0000000031710769e-30f), 0x26901d7d)
    CHECK1(rsqrt, 2, (0.5f), 0x3fb504f3, (3.0f), 0x3f13cd3a, (1.0000000150474662e+30f), 0x26901d7d, (1.0000000031710769e-30f), 0x58635fa9)
    CHECK1(cbrt, 2, (0.5f), 0x3f4b2ff5, (-3.0f), 0xbfb89ba2, (1.0000000150474662e+30f), 0x501502f9, (1.0000000031710769e-30f), 0x2edbe6ff)
    CHECK1(erf, 16, (0.5f), 0x3f053f7b, (-1.5f), 0xbf7752ab, (3.0f), 0x3f7ffe8d, (9.999999747378752e-05f), 0x38eca365)
    CHECK1(erf, 16, (0x1p-126f), 0x00906ebb, (-0x1.8p-126f), 0x80d8a618, (0x1p-125f), 0x01106ebb, (0x1p-100f), 0x0d906ebb)
}
kernel void test_functions_4(global uint *record, global int *in) {
    float zero = in[0];
    CHECK1(erfc, 16, (0.5f), 0x3ef5810a, (-1.5f), 0x3ffba955, (3.0f), 0x37b94efb, (5.0f), 0x2bd860d4)
    CHECK1(erfc, 16, (0x1.136cp+3f), 0x08118ba9, (0x1p+3f), 0x0f63a7e2, (0x1.2p+3f), 0x030cc6a1, (0x1.dcp+2f), 0x15b04f61)
    CHECK1(tgamma, 16, (0.5f), 0x3fe2dfc5, (4.5f), 0x413a1b8f, (-1.5f), 0x40173fd8, (20.0f), 0x5bd815ca)
    CHECK1(sinpi, 4, (0.25f), 0x3f3504f3, (-0.75f), 0xbf3504f3, (1000.125f), 0x3ec3ef15, (0.5f), 0x3f800000)
    CHECK1(cospi, 4, (0.25f), 0x3f3504f3, (-0.75f), 0xbf3504f3, (1000.125f), 0x3f6c835e, (1.0f), 0xbf800000)
    CHECK1(tanpi, 6, (0.125f), 0x3ed413cd, (-0.375f), 0xc01a827a, (100.25f), 0x3f800000, (0.0625f), 0x3e4bafaf)
    CHECK1(asinpi, 5, (0.5f), 0x3e2aaaab, (-0.9375f), 0xbec6134a, (0.0010000000474974513f), 0x39a6e2d7, (1.0f), 0x3f000000)
    CHECK1(acospi, 5, (0.5f), 0x3eaaaaab, (-0.9375f), 0x3f6309a5, (0.0010000000474974513f), 0x3effd647, (-1.0f), 0x3f800000)
    CHECK1(atanpi, 5, (0.5f), 0x3e172029, (-3.0f), 0xbecb9014, (1000000.0f), 0x3efffff5, (9.999999974752427e-07f), 0x34aae42d)
}
kernel void test_two_arguments(global uint *record, global int *in) {
    float zero = in[0];
    CHECK2(pow, 16, (2.0f), (0.5f), 0x3fb504f3, (-3.0f), (3.0f), 0xc1d80000, (1.0009765625f), (1000.0f), 0x4029dbec, (0.0010000000474974513f), (-7.25f), 0x63986c41)
    CHECK2(powr, 16, (2.0f), (0.5f), 0x3fb504f3, (3.0f), (-3.0f), 0x3d17b426, (1.0009765625f), (1000.0f), 0x4029dbec, (0.0010000000474974513f), (7.25f), 0x1b56fb1a)
    CHECK2(atan2, 6, (1.0f), (2.0f), 0x3eed6338, (-3.0f), (-1.0f), 0xbff23efa, (1.000000013351432e-10f), (10000000000.0f), 0x1e3ce509, (5.0f), (-0.5f), 0x3fd5d1cc)
    CHECK2(hypot, 4, (3.0f), (4.0f), 0x40a00000, (1.0000000150474662e+30f), (1.0000000150474662e+30f), 0x718ecc90, (9.999999682655225e-21f), (1.999999936531045e-20f), 0x1ed330ce, (0.5f), (-7.0f), 0x40e09219)
    CHECK2(fmod, 0, (7.5f), (2.0f), 0x3fc00000, (-7.5f), (2.25f), 0xbf400000, (10000000000.0f), (0.75f), 0x3e800000, (0.5f), (3.0f), 0x3f000000)
    CHECK2(remainder, 0, (7.5f), (2.0f), 0xbf000000, (-7.5f), (2.25f), 0xbf400000, (10000000000.0f), (0.75f), 0x3e800000, (5.0f), (2.0f), 0x3f800000)
    CHECK2(fdim, 0, (3.0f), (1.5f), 0x3fc00000, (1.0f), (2.0f), 0x00000000, (-1.0f), (-5.0f), 0x40800000, (0.0f), (0.0f), 0x00000000)
    CHECK2(copysign, 0, (3.0f), (-1.0f), 0xc0400000, (-3.0f), (1.0f), 0x40400000, (0.0f), (-0.0f), 0x80000000, (-2.0f), (-2.0f), 0xc0000000)
    CHECK2(fmax, 0, (1.0f), (2.0f), 0x40000000, (-1.0f), (-2.0f), 0xbf800000, (5.0f), (4.0f), 0x40a00000, (0.5f), (0.25f), 0x3f000000)
    CHECK2(fmin, 0, (1.0f), (2.0f), 0x3f800000, (-1.0f), (-2.0f), 0xc0000000, (5.0f), (4.0f), 0x40800000, (0.5f), (0.25f), 0x3e800000)
    CHECK2(maxmag, 0, (1.0f), (-2.0f), 0xc0000000, (-3.0f), (2.0f), 0xc0400000, (5.0f), (4.0f), 0x40a00000, (0.5f), (0.25f), 0x3f000000)
}
// Denormals, on devices that flush them too
kernel void test_magnitudes(global uint *record, global int *in) {
    float small = as_float(0x00292531 + in[0]), large = as_float(0x802d6c0a + in[0]);
    ASSERT(0x802d6c0a, as_uint(maxmag(small, large))); ASSERT(0x802d6c0a, as_uint(maxmag(large, small))); ASSERT(0x00292531, as_uint(maxmag(small, as_float(in[0]))));
    ASSERT(0x00292531, as_uint(minmag(small, large))); ASSERT(0x80000000, as_uint(minmag(large, as_float(0x80000000 + in[0]))));
    ASSERT(0x00292531, as_uint(maxmag(small, as_float(0x80292531 + in[0])))); ASSERT(0x00292531, as_uint(maxmag(as_float(0x80292531 + in[0]), small)));
}
kernel void test_special(global uint *record, global int *in) {
    float zero = in[0], one = in[1], inf = as_float(0x7f800000 + in[0]), nan = as_float(0x7fc00000 + in[0]);
    ASSERT(1, isnan(sin(inf))); ASSERT(1, isnan(sqrt(-one))); ASSERT_BITS(0x7f800000, exp(inf)); ASSERT_BITS(0, exp(-inf)); ASSERT_BITS(0xff800000, log(zero));
    ASSERT_BITS(0x3f800000, pow(nan, zero)); ASSERT_BITS(0x3f800000, pow(one, nan)); ASSERT_BITS(0x7f800000, hypot(inf, nan)); ASSERT_BITS(0x80000000, sin(-zero));
    ASSERT_BITS(0x40000000, fmax(nan, one + one)); ASSERT_BITS(0x7f800000, rsqrt(zero)); ASSERT_BITS(0x40490fdb, atan2(zero, -one)); ASSERT(1, isnan(fmod(one, zero)));
    ASSERT_BITS(0x40000000, rint(2.5f + zero)); ASSERT_BITS(0x40400000, round(2.5f + zero)); ASSERT_BITS(0xc0400000, round(-2.5f + zero)); ASSERT_BITS(0xc0000000, trunc(-2.5f + zero));
    ASSERT_BITS(0xc0400000, floor(-2.5f + zero)); ASSERT_BITS(0xc0000000, ceil(-2.5f + zero)); ASSERT_BITS(0x3f800001, nextafter(one, inf)); ASSERT_BITS(0x3f7fffff, nextafter(one, zero));
    int n; float m;
    ASSERT_BITS(0x3f400000, frexp(6.0f + zero, &n)); ASSERT(3, n); ASSERT_BITS(0x41400000, ldexp(one * 0.75f, 4)); ASSERT(2, ilogb(6.0f + zero)); ASSERT_BITS(0x40000000, logb(6.0f + zero));
    ASSERT_BITS(0xbf000000, modf(-2.5f + zero, &m)); ASSERT_BITS(0xc0000000, m); ASSERT_BITS(0x3f000000, fract(-2.5f + zero, &m)); ASSERT_BITS(0xc0400000, m);
    ASSERT_BITS(0xbf800000, remquo(11.0f + zero, 3.0f, &n)); ASSERT(4, n); float c, s = sincos(one, &c); ASSERT(as_uint(sin(one)), as_uint(s)); ASSERT(as_uint(cos(one)), as_uint(c));
    ASSERT_BITS(0x42000000, pown(2.0f + zero, 5)); ASSERT_BITS(0x40000000, rootn(32.0f + zero, 5)); ASSERT_BITS(0x41300000, mad(2.0f + zero, 3.0f, 5.0f)); ASSERT(1, fabs(lgamma_r(-0.5f + zero, &n) - 1.2655121f) < 1e-6f); ASSERT(-1, n);  // 1.13.2-48
    float16 wide = cos((float16)(zero)); ASSERT_BITS(0x3f800000, wide.sf); float3 three = exp2((float3)(one, 2.0f, 3.0f)); ASSERT_BITS(0x41000000, three.z);
}
