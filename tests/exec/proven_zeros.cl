// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms descriptors
// Zeros that a compiler may find by what branches say and by the ranges of integers: it took x for x + 0, and
// 0 for 0 * x and 0 / x.
#include "assert.h"
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// Where n == 0 was true, n is 0. The assertions in the branches keep these branches.
#define BRANCHES(T, I, N)                                             \
    do {                                                              \
        const N n = in[0];                                            \
        const T minus_one = -(T)1 - (T)in[0], nan = (T)(NAN + in[0]); \
        const I minus = as_##I((T)-0.0f);                             \
        if (n == 0) {                                                 \
            ASSERT(1, as_##I((T)n* minus_one) == minus);              \
            ASSERT(1, isnan((T)n* nan));                              \
        }                                                             \
        T sum = minus_one + 1;                                        \
        if (n != 0) {                                                 \
            sum = 5;                                                  \
        } else {                                                      \
            sum *= minus_one;                                         \
            for (int i = 0; i < 3; i++) sum += (T)n;                  \
            ASSERT(1, isnan((T)n / nan));                             \
            ASSERT(1, as_##I((T)n / minus_one) == minus);             \
        }                                                             \
        ASSERT(1, as_##I(sum) == 0);                                  \
    } while (0)
kernel void test_branches(global uint* record, global const int* in) {
    BRANCHES(float, uint, int);
    BRANCHES(float, uint, ulong);
}
kernel void test_branches_narrow(global uint* record, global const int* in) {
    BRANCHES(float, uint, uchar);
    BRANCHES(float, uint, short);
}
#ifdef cl_khr_fp64
kernel void test_branches_double(global uint* record, global const int* in) {
    BRANCHES(double, ulong, int);
    BRANCHES(double, ulong, long);
}
#endif
#ifdef cl_khr_fp16
kernel void test_branches_half(global uint* record, global const int* in) {
    BRANCHES(half, ushort, int);
    BRANCHES(half, ushort, short);
}
#endif

// Several ways to say it, and what else follows.
kernel void test_conditions(global uint* record, global const int* in) {
    const int n = in[0], m = in[3], bits = in[0];
    const float minus_one = -1.0f - in[0], x = as_float(bits);
    if (!n) ASSERT_BITS(0x80000000, (float)n * minus_one);
    if ((uint)n < 1u) ASSERT_BITS(0x80000000, (float)n * minus_one);
    if (n == 0 && m == 3) ASSERT_BITS(0x80000000, (float)(m - 3) * minus_one);
    if ((n | (m - 3)) == 0) ASSERT_BITS(0x80000000, (float)n * minus_one);
    if (m - 3 == 0) ASSERT_BITS(0x80000000, ((float)m - 3.0f) * minus_one);
    if (bits == 0) ASSERT_BITS(0x80000000, x * minus_one);
    if ((long)n == 0) ASSERT_BITS(0x80000000, fma((float)n, minus_one, -0.0f));
    switch (m) {
        case 3: ASSERT_BITS(0x80000000, (float)(m ^ 3) * minus_one); break;
        case 4: ASSERT(0, 1); break;
        default: ASSERT(0, 2);
    }
    if (m != 3) return;
    ASSERT_BITS(0x80000000, (float)(m >> 2) * minus_one);
    ASSERT_BITS(0, -0.0f + (float)(m - 3));
}

// What a condition has chosen before.
kernel void test_choices(global uint* record, global const int* in) {
    const bool some = in[0] != 0;
    const float minus_one = -1.0f - in[0], chosen = some ? in[1] : 0.0f, minus = -0.0f * in[1];
    if (some)
        ASSERT(0, 1);
    else
        ASSERT_BITS(0x80000000, chosen * minus_one);
    if (!some) {
        ASSERT_BITS(0, chosen + minus);
        ASSERT_BITS(0x80000000, (some ? 2.0f : 0.0f) * minus_one);
        ASSERT_BITS(0x80000000, (float)some * minus_one);
    }
}

// Components of vectors.
kernel void test_vectors(global uint* record, global const int* in) {
    const int4 v = vload4(0, in);
    const float minus_one = -1.0f - in[0];
    if (v.x == 0) {
        const float4 product = convert_float4(v) * minus_one;
        ASSERT_BITS(0x80000000, product.x);
        ASSERT_BITS(0xc0400000, product.w);
        ASSERT_BITS(0x80000000, ((float2)(v.x, v.y) / minus_one).x);
    }
    const float4 none = convert_float4(v & 4 & 3) * minus_one,
                 mixed = convert_float4((v & (int4)(3, 3, 4, 3)) & 3) * minus_one;
    ASSERT_BITS(0x80000000, none.y);
    ASSERT_BITS(0xbf800000, mixed.y);
    ASSERT_BITS(0x80000000, mixed.z);
}

// Integers that are zero whatever n is.
#define RANGES(T, I)                                                          \
    do {                                                                      \
        const int n = in[9];                                                  \
        const uint u = in[9];                                                 \
        const T minus_one = -(T)1 - (T)in[0];                                 \
        const I minus = as_##I((T)-0.0f);                                     \
        ASSERT(1, as_##I((T)(n & 1 & 2) * minus_one) == minus);               \
        ASSERT(1, as_##I((T)((u >> 31) >> 1) * minus_one) == minus);          \
        ASSERT(1, as_##I((T)(u % 1u) * minus_one) == minus);                  \
        ASSERT(1, as_##I((T)min(u & 3u, 0u) * minus_one) == minus);           \
        ASSERT(1, as_##I((T)(max(n & 3, 0) < 0) * minus_one) == minus);       \
        ASSERT(1, as_##I((T)((n & ~7) & 7) / minus_one) == minus);            \
        ASSERT(1, as_##I((T)((short)n > 40000) * minus_one) == minus);        \
        ASSERT(1, as_##I((T)((n != 0) & (n == 0)) * minus_one) == minus);     \
        ASSERT(1, isnan((T)((n < 5 && n < 3) > (n < 3)) * (T)(NAN + in[0]))); \
    } while (0)
kernel void test_ranges(global uint* record, global const int* in) { RANGES(float, uint); }
#ifdef cl_khr_fp64
kernel void test_ranges_double(global uint* record, global const int* in) { RANGES(double, ulong); }
#endif
#ifdef cl_khr_fp16
kernel void test_ranges_half(global uint* record, global const int* in) { RANGES(half, ushort); }
#endif

// In loops, and in functions.
float times(int n, float x) __attribute__((noinline));
float times(int n, float x) { return n * x; }
int both(int m, int n) __attribute__((noinline));
int both(int m, int n) { return (m & 4 & 2) | (m & n); }
kernel void test_loops(global uint* record, global const int* in) {
    const float minus_one = -1.0f - in[0];
    float product = 1, last = 1;
    for (int i = 0; i < in[3]; i++) {
        product = (float)((i & 7) >> 3) * minus_one;
        if (i == 0)
            last = (float)i / minus_one;
        else
            product = (float)i * minus_one;
    }
    ASSERT_BITS(0xc0000000, product);
    ASSERT_BITS(0x80000000, last);
    int n = in[3];
    while (n != 0) n--;
    ASSERT_BITS(0x80000000, (float)n * minus_one);
    ASSERT_BITS(0x80000000, times(in[3] & 4 & 1, minus_one));
    ASSERT_BITS(0x80000000, (float)both(in[3] & 4, 1) * minus_one);
    ASSERT_BITS(0x80000000, (float)both(in[3], in[3] & 4 & 1) * minus_one);
    ASSERT_BITS(0x80000000, (float)get_local_id(0) * minus_one);
}

kernel void test_dots(global uint* record, global const int* in) {
    const float minus_one = -1.0f - in[0], nan = NAN + in[0];
    const float2 zero_one = (float2)(in[3] & 4 & 1, 1);
    ASSERT(1, isnan(dot(zero_one, (float2)(nan, minus_one))));
    ASSERT(1, isnan(dot((float2)(0, 1), (float2)(nan, minus_one))));
    ASSERT_BITS(0xc0400000, dot(zero_one, (float2)(5, -3)));
}
