// SPDX-License-Identifier: Apache-2.0
// half_ functions (1.13.2-73) within 8192 ulp (1.13.2-74, 2.4-13) over their ranges (1.13.2-75, 1.13.2-76) and with their namesakes' edge
// cases (2.5.1-2); native_ functions (1.13.2-78), which are that near for moderate arguments on the devices that we know; their
// vectors of all lengths; fast_length, fast_distance and fast_normalize (1.13.5-7, 1.13.5-8, 1.13.5-9, 1.13.5-10).
#include "vector_forms.h"

// 8192 ulp are at least 2^-11 of a number.
#define NEAR(exact, actual) ASSERT(1, fabs((actual) - (exact)) <= fabs(exact) * 0x1p-11f)
#define V(x) as_float(as_int((float)(x)) ^ in[0])

kernel void test_half_trigonometric(global uint *record, global int *in) {
    const float angles[8] = {0.5f, -1.5703125f, 3.140625f, -100.0f, 1000.5f, 65536.0f, -65535.5f, 0x1p-20f};
    AS_IT_STANDS for (int i = 0; i < 8; i++) {
        float x = V(angles[i]);
        NEAR(sin(x), half_sin(x)); NEAR(cos(x), half_cos(x)); NEAR(tan(x), half_tan(x));
    }
}
kernel void test_half_exponential(global uint *record, global int *in) {
    const float numbers[8] = {0.5f, 1.0009765625f, 3.0f, 0x1p-30f, 0.999f, 20.25f, 0x1.8p+60f, 0x1p-100f};
    AS_IT_STANDS for (int i = 0; i < 8; i++) {
        float x = V(numbers[i]), small = fmin(x, 30.0f);
        NEAR(exp(small), half_exp(small)); NEAR(exp2(-small), half_exp2(-small)); NEAR(exp10(small), half_exp10(small));
        NEAR(log(x), half_log(x)); NEAR(log2(x), half_log2(x)); NEAR(log10(x), half_log10(x));
        NEAR(powr(x, 0.75f), half_powr(x, 0.75f)); NEAR(1.0f / x, half_recip(x)); NEAR(7.0f / x, half_divide(7.0f, x));
        NEAR(sqrt(x), half_sqrt(x)); NEAR(rsqrt(x), half_rsqrt(x));
    }
}
#define SAME(expected, actual) ASSERT(as_uint((float)(expected)), as_uint(actual))
kernel void test_half_edges(global uint *record, global int *in) {
    // A divisor whose reciprocal is a denormal.
    NEAR(0x1.5p-27f, half_divide(V(0x1.f8p100f), V(0x1.8p127f)));
    float none = as_float(0x7fc00000 + in[0]), inf = as_float(0x7f800000 + in[0]);
    SAME(0, half_exp(-inf)); SAME(inf, half_exp(inf)); SAME(0, half_exp2(-inf)); SAME(inf, half_exp2(inf)); SAME(0, half_exp10(-inf)); SAME(inf, half_exp10(inf));
    SAME(-inf, half_log(V(0))); SAME(-inf, half_log2(V(0))); SAME(-inf, half_log10(V(0))); SAME(inf, half_log2(inf)); SAME(0, half_log2(V(1)));
    SAME(0, half_sqrt(V(0))); SAME(inf, half_rsqrt(V(0))); SAME(0, half_rsqrt(inf)); SAME(inf, half_recip(V(0))); SAME(0, half_recip(inf)); SAME(inf, half_divide(V(1), V(0)));
    SAME(0, half_sin(V(0))); SAME(1, half_cos(V(0))); SAME(0, half_tan(V(0))); SAME(1, half_powr(V(3), V(0))); SAME(0, half_powr(V(0), V(2)));
    ASSERT(1, isnan(half_sin(inf))); ASSERT(1, isnan(half_cos(none))); ASSERT(1, isnan(half_tan(inf))); ASSERT(1, isnan(half_log(V(-1))));
    ASSERT(1, isnan(half_powr(V(0), V(0)))); ASSERT(1, isnan(half_sqrt(V(-1)))); ASSERT(1, isnan(half_divide(V(0), V(0)))); ASSERT(1, isnan(half_exp(none)));
}

kernel void test_native(global uint *record, global int *in) {
    const float numbers[4] = {0.5f, 1.25f, 3.0f, 2.0f};
    AS_IT_STANDS for (int i = 0; i < 4; i++) {
        float x = V(numbers[i]);
        ASSERT(1, fabs(native_sin(x) - sin(x)) <= 0x1p-10f); ASSERT(1, fabs(native_cos(x) - cos(x)) <= 0x1p-10f);
        ASSERT(1, fabs(native_tan(x) - tan(x)) <= fabs(tan(x)) * 0x1p-8f);
        NEAR(exp(x), native_exp(x)); NEAR(exp2(x), native_exp2(x)); NEAR(exp10(x), native_exp10(x));
        NEAR(log(x), native_log(x)); NEAR(log2(x), native_log2(x)); NEAR(log10(x), native_log10(x));
        NEAR(powr(x, 2.5f), native_powr(x, 2.5f)); NEAR(1.0f / x, native_recip(x)); NEAR(7.0f / x, native_divide(7.0f, x));
        NEAR(sqrt(x), native_sqrt(x)); NEAR(rsqrt(x), native_rsqrt(x));
    }
}

// A kernel for each: all in one take a driver five times as long.
#define VECTORS(f, ARGS)                                                                                                     \
    kernel void test_vectors_##f(global uint *record, global int *in) {                                                      \
        float16 a = (float16)(0.5f, 1, 1.5f, 2, 2.5f, 3, 0.25f, 0.125f, 4, 5, 6, 7, 0.75f, 8, 9, 10) + (float)in[0],         \
                b = a.s3210765432107654;                                                                                     \
        AGREE(f, float, ARGS)                                                                                                \
    }
VECTORS(half_cos, ONE) VECTORS(half_divide, TWO) VECTORS(half_exp, ONE) VECTORS(half_exp2, ONE) VECTORS(half_exp10, ONE)
VECTORS(half_log, ONE) VECTORS(half_log2, ONE) VECTORS(half_log10, ONE) VECTORS(half_powr, TWO)
VECTORS(half_recip, ONE) VECTORS(half_rsqrt, ONE) VECTORS(half_sin, ONE) VECTORS(half_sqrt, ONE) VECTORS(half_tan, ONE)
VECTORS(native_cos, ONE) VECTORS(native_divide, TWO) VECTORS(native_exp, ONE) VECTORS(native_exp2, ONE) VECTORS(native_exp10, ONE)
VECTORS(native_log, ONE) VECTORS(native_log2, ONE) VECTORS(native_log10, ONE) VECTORS(native_powr, TWO)
VECTORS(native_recip, ONE) VECTORS(native_rsqrt, ONE) VECTORS(native_sin, ONE) VECTORS(native_sqrt, ONE) VECTORS(native_tan, ONE)

kernel void test_fast_geometric(global uint *record, global int *in) {
    float one = in[1], two = in[2];
    float3 v = (float3)(two, one, -two);
    NEAR(3.0f, fast_length(v)); NEAR(5.0f, fast_length((float2)(3 * one, 4))); NEAR(5.0f, fast_length((float4)(one, two, two, 4))); NEAR(7.0f, fast_length(-7 * one));
    NEAR(3.0f, fast_distance(v, (float3)(0))); NEAR(5.0f, fast_distance((float2)(4 * one, 5), (float2)(one, 1))); NEAR(2.0f, fast_distance(one, 3 * one));
    NEAR(5.0f, fast_distance((float4)(one, two, two, 4), (float4)(0)));
    float3 n = fast_normalize(v); NEAR(2.0f / 3, n.x); NEAR(1.0f / 3, n.y); NEAR(-2.0f / 3, n.z);
    float2 m = fast_normalize((float2)(3 * one, -4)); NEAR(0.6f, m.x); NEAR(-0.8f, m.y); NEAR(-1.0f, fast_normalize(-two));
    float4 w = fast_normalize((float4)(one, two, two, 4)); NEAR(0.2f, w.x); NEAR(0.8f, w.w);
    float3 zero = fast_normalize((float3)(one - one)); ASSERT(0, as_int(zero.x)); ASSERT(0, as_int(zero.z));
}
