// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// What is computed from zeros that a compiler may know (a null constant in a vector gave zeros whatever was computed).
#include "assert.h"

kernel void test_zeros(global uint *record, global const int *in) {
    int values[16] = {11, 11, in[0], 1, 1};
    private int *rest = values + 7;
    int4 x = vload4(0, rest);
    for (int i = 0; i < 4; i++) {
        ASSERT(-1, ((int *)&(int4){~x})[i]);
        ASSERT(6, ((int *)&(int4){x ^ 6})[i]);
        ASSERT(-1, ((int *)&(int4){x == 0})[i]);
    }
    ASSERT(-1, (~x).y);
    ASSERT(6, (x ^ 6).y);
    ASSERT(9, (x | 9).z);
    ASSERT(5, (x + 5).y);
    ASSERT(-5, (x - 5).y);
    ASSERT(-1, (x == 0).y);
    ASSERT(0, (x != 0).z);
    ASSERT_BITS(0x3f800000, (convert_float4(x) + 1).w);
    ASSERT(-1, ~values[8]);
}

// 0 - x is not -x, nor x + 0 always x, where only the compiler knows the zero.
constant float values[4] = {3.5f, -2, 0};
kernel void test_signs(global uint *record, global const int *in) {
    const float x = in[0], minus = -x;
    ASSERT_BITS(0, fabs(values[2]) - x);
    ASSERT_BITS(0, -(values[0] * values[3]) * -1 + minus);
    ASSERT_BITS(0, values[0] + values[1] - 1.5f + minus);
    ASSERT_BITS(0, trunc(values[0] / 4) - x);
    ASSERT_BITS(0x80000000, -fabs(values[2]) - x);
    ASSERT_BITS(0x80000000, fmin(fmax(values[2], values[1]), values[0]) * (minus - 1));
    ASSERT_BITS(0x80000000, clamp(values[2], values[1], values[0]) * (minus - 1));
    ASSERT_BITS(0x80000000, (float)convert_int_sat_rte(values[0] / 8) * (minus - 1));
    ASSERT_BITS(0x80000000, (float)convert_uchar_sat_rtp(values[1]) * (minus - 1));
    ASSERT_BITS(0x80000000, (x > x ? 1.0f : 0.0f) * (minus - 1));
    ASSERT_BITS(0x80000000, (float)(x != x && x <= x) * (minus - 1));
    ASSERT_BITS(0, round(0.0f) + minus);
    ASSERT_BITS(0, (round((float4)(0.0f)) + minus).z);
    ASSERT_BITS(0, sqrt(0.0f) + minus);
    ASSERT_BITS(0, sign(0.0f) + minus);
    ASSERT_BITS(0, step(1.0f, 0.0f) + minus);
    ASSERT_BITS(0, minmag(0.0f, 1.0f) + minus);
    ASSERT_BITS(0, fma(2.0f, 0.5f, -1.0f) + minus);
    ASSERT_BITS(0, 0x1p-140f * 0.0f + minus);
    ASSERT_BITS(0, (float)clz(0xffffffffu) + minus);
    ASSERT_BITS(0, (float)popcount(0) + minus);
    ASSERT_BITS(0, fma(x, minus - 1, 0.0f));
    ASSERT_BITS(0x80000000, fma(x, minus - 1, -0.0f));
    ASSERT_BITS(0x80000000, fma(0x1p-100f + x, -0x1p-100f, 0.0f));
    const float2 pair = (float2)(values[2], values[1]) - (float2)(x, 1 + x);
    ASSERT_BITS(0, pair.x);
    ASSERT_BITS(0xc0400000, pair.y);
}

// -0 is what a comparison's 0 becomes, not 0.
kernel void test_signs_of_truths(global uint *record, global const int *in) {
    global const char *bytes = (global const char *)in;
    bool less = false;
    for (int turn = 0; turn <= in[2]; turn++) {
        const float negated = -(float)less, chosen = less ? -1.0f : -0.0f, product = (float)less * -1;
        const uint expected = turn == 0 ? 0x80000000 : 0xbf800000;
        ASSERT_BITS(expected, negated);
        ASSERT_BITS(expected, chosen);
        ASSERT_BITS(expected, product);
        ASSERT(expected, as_uint((float)less) ^ 0x80000000);
        less = !((char)get_global_id(0) < bytes[turn]);
        ASSERT_BITS(less ? 0x80000000 : 0xbf800000, -(less ? 0.0f : 1.0f));
    }
}

// Copying an object to itself does not change it.
struct Numbers { float first[8], second[8]; };
kernel void test_copied_to_itself(global uint *record, global const int *in) {
    struct Numbers n = {{1, 2, in[5]}, {in[6], 7}};
    n = n;
    ASSERT_BITS(0, n.second[4] - n.second[in[7]]);
}

// Zeros that are constants once loops of constant counts are unrolled, and private variables are values.
kernel void test_loops(global uint* record, global int* in) {
    const float minus = as_float((int)0x80000000 ^ in[0]), nan = as_float(0x7fc00000 + in[0]);
    float doubled = 0.0f, counted = 3.0f, halved[2] = {0.0f, 8.0f};
    for (int i = 0; i < 3; i++) {
        ASSERT_BITS(0x80000000, (float)i * minus);
        ASSERT(i == 0, isnan((float)i * as_float(0x7f800000 + in[0])));
        doubled *= 2;
        counted -= 1;
        halved[0] /= 2;
    }
    ASSERT_BITS(0, doubled + minus);
    ASSERT_BITS(0, counted + minus);
    ASSERT_BITS(0, halved[0] + minus);
    ASSERT_BITS(0, ldexp(0.0f, 3) + minus);
    ASSERT_BITS(0x80000000, counted * minus);
    ASSERT(1, isnan(counted * nan));
    ASSERT(1, isnan(doubled / minus));
    ASSERT_BITS(0, fma(minus, minus, halved[0]));
}

// Sums of a constant number of terms, and comparisons that are false whatever they compare.
kernel void test_sums_and_truths(global uint* record, global const int* in, global float* x) {
    const float minus = as_float((int)0x80000000 ^ in[0]), one = as_float(0x3f800000 + in[0]);
    x[0] = x[1] = x[2] = minus;
    float sum = 0.0f;
    for (int i = 0; i < 1; i++) sum += x[i + in[0]];
    ASSERT_BITS(0, sum);
    float3 sums = 0.0f;
    for (int i = 0; i < 2; i++) sums = sums + x[i + in[0]];
    ASSERT_BITS(0, sums.y);
    const float3 v = one, false_and = convert_float3((v < v) && (v >= minus)), true_or = convert_float3((v == one) || (0.0f < (float3)(1)));
    ASSERT_BITS(0x80000000, (false_and * -one).y);
    ASSERT_BITS(0, (false_and + minus).z);
    ASSERT_BITS(0x3f800000, (true_or * -one).x);
    ASSERT_BITS(0xbf800000, (convert_float3(!((v < v) && (v >= minus))) - minus).x);
}

// Vectors from one place are equal, components that they share too: compilers that find it know what comparisons give.
kernel void test_loaded_twice(global uint* record, global const int* in) {
    const float minus_one = -1.0f - in[0];
    const size_t i = in[2];
    global const int* from = in + 5 * i;
    const int16 x = vload16(i, in), y = vload16(i, in), z = vload16(0, from);
    const int4 part = vload4(1, from), across = vload4(0, from + 3);
    const int3 three = vload3(1, from), same = vload3(0, from + 3);
    const float16 whole = convert_float16(x > y) * minus_one;
    const float4 upper = convert_float4(z.s4567 > part) * minus_one, odd = convert_float4(z.s3456 < across) * minus_one;
    const float3 threes = convert_float3(three - same) * minus_one;
    ASSERT_BITS(0x80000000, whole.s0);
    ASSERT_BITS(0x80000000, whole.sb);
    ASSERT_BITS(0x80000000, upper.w);
    ASSERT_BITS(0x80000000, odd.y);
    ASSERT_BITS(0x80000000, threes.z);
    ASSERT(30, three.z + part.y);
}
kernel void test_halves_loaded_twice(global uint* record, global const int* in) {
    const float minus_one = -1.0f - in[0];
    global const half* h = (global const half*)in;
    const size_t i = in[2];
    const float4 x = vload_half4(i, h), y = vload_half4(i, h);
    const float once = vload_half(i, h), again = vload_half(i, h);
    ASSERT_BITS(0x80000000, (convert_float4(x > y) * minus_one).y);
    ASSERT_BITS(0x80000000, (float)(once < again) * minus_one);
}

// Zeros beside components that are no constants.
kernel void test_partly_constant(global uint* record, global const int* in) {
    const float any = in[0], minus = -0.0f * (any + 1), infinite = as_float(0x7f800000 + in[0]);
    const float2 minuses = (float2)(minus, 1);
    ASSERT_BITS(0, ((float2)(0.0f, any) + minuses).x);
    ASSERT_BITS(0, ((float2)(minus, minus) + (float2)(0, any)).x);
    ASSERT_BITS(0, ((float2)(any, 0) + minus).y);
    ASSERT_BITS(0, (minus - (float4)(any, -0.0f, any, 1)).y);
    ASSERT(1, isnan(((float2)(any, 0) * (float2)(infinite)).y));
    ASSERT(1, isnan((infinite * (float3)(any, 1, 0)).z));
    ASSERT_BITS(0x80000000, ((float2)(any, 0) * -1.0f).y);
    ASSERT_BITS(0x80000000, ((float8)(0, 1, 2, any, 4, 5, 6, 0) / (any - 1)).s7);
    ASSERT_BITS(0, fma((float2)(1, any), (float2)(minus), (float2)(0, any)).x);
    float4 changed = (float4)(any, 1, 2, 3);
    changed.z = 0;
    ASSERT_BITS(0x80000000, (changed.wzyx * (any - 1)).y);
    ASSERT_BITS(0, (changed.zw + minus).x);
}

// Zeros that arise in the components of such vectors which are constants.
kernel void test_partly_constant_results(global uint* record, global const int* in) {
    const float any = in[0], minus_one = any - 1, minus = -0.0f * (any + 1);
    const float4 a = (float4)(any, 1, 2, 3), b = (float4)(1, any, 2, 3);
    float4 none = a;
    none -= a;
    ASSERT_BITS(0, none.z + -0.0f);
    ASSERT_BITS(0, (a - b).w + -0.0f);
    ASSERT_BITS(0x80000000, ((a - b) * minus_one).z);
    ASSERT_BITS(0, ((a - b) + (float4)(minus)).z);
    ASSERT_BITS(0x80000000, ((a - 3) * minus_one).w);
    ASSERT_BITS(0, ((a - 3) * 2 + (float4)(1, 2, 3, -0.0f)).w);
    ASSERT_BITS(0x80000000, (floor(a * 0.5f) * minus_one).y);
    ASSERT_BITS(0x80000000, (fma(a, b, (float4)(-4)) * minus_one).z);
    ASSERT_BITS(0x80000000, (convert_float2((int2)(3, in[0]) - 3) * minus_one).x);
    ASSERT_BITS(0x80000000, (as_float2((int2)(in[0], 0)) * minus_one).y);
    const float4 shuffled = (a.wzyx - 3).wyxz;
    ASSERT_BITS(0x80000000, ((shuffled * 3) * minus_one).z);
    ASSERT(1, isnan(((a - b) * as_float(0x7f800000 + in[0])).w));
}
kernel void test_partly_known_results(global uint* record, global const int* in) {
    const float any = in[0], minus_one = any - 1, minus = as_float((int)0x80000000 ^ in[0]);
    float counted = 0.0f;
    for (int i = 0; i < 3; i++) {
        ASSERT_BITS(0x80000000, (float)i * minus);
        counted += 1;
    }
    const float4 a = (float4)(any, counted, 1, counted), b = (float4)(any, 3, any, counted);
    ASSERT_BITS(0x80000000, ((a - 3) * minus_one).y);
    ASSERT_BITS(0, (a - b).w + -0.0f);
    ASSERT_BITS(0x80000000, ((a - b) * minus_one).y);
    ASSERT_BITS(0x80000000, ((a - b) * 2 * minus_one).w);
}

// A choice between a zero and a one copies the zero, with its sign. The sign is that of the bits, so that no comparison
// of numbers may be right by chance.
#define CHOICES(T, I, minus)                                                                            \
    ASSERT(1, as_##I(below ? -(T)1 : (T)0) == 0);                                                       \
    ASSERT(1, as_##I(above ? (T)0 : -(T)1) == 0);                                                       \
    ASSERT(1, as_##I(below ? (T)1 : -(T)0.0f) == minus);                                                \
    ASSERT(1, as_##I(above ? -(T)0.0f : (T)1) == minus);                                                \
    ASSERT(1, as_##I(below ? -(T)1 : -(T)0.0f) == minus);                                               \
    ASSERT(1, as_##I(below ? (T)1 : (T)0) == 0)
kernel void test_choices(global uint *record, global const int *in) {
    const int zero = in[0];
    const bool below = zero < 0, above = zero >= 0;
    CHOICES(float, uint, 0x80000000u);
#ifdef cl_khr_fp64
    CHOICES(double, ulong, 0x8000000000000000ul);
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    CHOICES(half, ushort, 0x8000);
#endif
    float by_branch = 0.0f;
    if (below) by_branch = -1.0f;
    ASSERT(0, as_uint(by_branch));
    by_branch = -0.0f;
    if (below) by_branch = 1.0f;
    ASSERT(0x80000000u, as_uint(by_branch));
    const float4 four = select((float4)(0, -0.0f, 0, -0.0f), (float4)(-1, 1, 1, -1), (int4)(zero));
    const uint4 bits = as_uint4(four);
    ASSERT(0, bits.x);
    ASSERT(0x80000000u, bits.y);
    ASSERT(0, bits.z);
    ASSERT(0x80000000u, bits.w);
    ASSERT(0, below ? 0xbf800000u : 0u);  // integers with these bits
    ASSERT(0x80000000u, below ? 0x3f800000u : 0x80000000u);
    ASSERT_BITS(0x7f800000, 1.0f / (below ? -1.0f : 0.0f));
    ASSERT_BITS(0xff800000, 1.0f / (below ? 1.0f : -0.0f));
}
