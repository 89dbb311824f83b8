// SPDX-License-Identifier: Apache-2.0
// Floats that are the upper half of a float (SPV_KHR_bfloat16, SPV_EXT_bfloat16_arithmetic): bfloat16.spvasm has the
// functions, which take and return the bits.
#include "assert.h"

ushort from_float(float x);
ushort from_float_rte(float x);
ushort from_float_rtz(float x);
ushort from_float_rtp(float x);
ushort from_float_rtn(float x);
float to_float(ushort x);
ushort from_int(int x);
ushort from_uint(uint x);
int to_int(ushort x);
uint to_uint(ushort x);
char saturated(ushort x);
ushort4 of_vector(float4 x);
float4 to_vector(ushort4 x);
ushort dot_of(ushort4 x, ushort4 y);
float parts(ushort4 x, int i);
float constant_of(int i);
float chosen(int i, ushort x);
float looped(int n, ushort x);
ushort swapped(global uchar *p, ushort x);
float memory(global uchar *p);
float private_memory(int i, ushort x);
ushort arithmetic(int which, ushort x, ushort y);
int less(ushort x, ushort y);

// in[0] is 0.
#define FROM(bits) from_float(as_float(in[0] + (int)(bits)))
#define ROUNDED(mode, bits) from_float_##mode(as_float(in[0] + (int)(bits)))

kernel void test_rounding(global uint *record, global int *in) {
    ASSERT(0x3f80, FROM(0x3f800000)); ASSERT(0x3f80, FROM(0x3f807fff)); ASSERT(0x3f80, FROM(0x3f808000));
    ASSERT(0x3f81, FROM(0x3f808001)); ASSERT(0x3f82, FROM(0x3f818000)); ASSERT(0xbf82, FROM(0xbf818000));
    ASSERT(0x7f80, FROM(0x7f7fffff)); ASSERT(0x7f80, FROM(0x7f800000)); ASSERT(0xff80, FROM(0xff800000));
    ASSERT(0x7f7f, FROM(0x7f7f7fff)); ASSERT(0x8000, FROM(0x80000000)); ASSERT(0, FROM(0));
    ASSERT(0x7fc0, FROM(0x7f800001)); ASSERT(0xffff, FROM(0xffffffff)); ASSERT(0x7fc1, FROM(0x7fc17fff));
}
kernel void test_denormals(global uint *record, global int *in) {
    ASSERT(1, FROM(0x00010000)); ASSERT(1, FROM(0x00008001)); ASSERT(0, FROM(0x00008000)); ASSERT(0x80, FROM(0x007fffff));
    ASSERT(0x8002, FROM(0x80018000)); ASSERT(0x00010000, as_int(to_float(in[1])));
    ASSERT(0x807f0000, as_int(to_float(in[0] + 0x807f)));
}
kernel void test_rounding_modes(global uint *record, global int *in) {
    ASSERT(0x3f82, ROUNDED(rte, 0x3f818000)); ASSERT(0x3f81, ROUNDED(rtz, 0x3f81ffff)); ASSERT(0xbf81, ROUNDED(rtz, 0xbf81ffff));
    ASSERT(0x3f82, ROUNDED(rtp, 0x3f810001)); ASSERT(0x3f81, ROUNDED(rtp, 0x3f810000)); ASSERT(0xbf81, ROUNDED(rtp, 0xbf81ffff));
    ASSERT(0x3f81, ROUNDED(rtn, 0x3f81ffff)); ASSERT(0xbf82, ROUNDED(rtn, 0xbf810001)); ASSERT(0x7f7f, ROUNDED(rtz, 0x7f7fffff));
    ASSERT(0x7f7f, ROUNDED(rtn, 0x7f7fffff)); ASSERT(0x7f80, ROUNDED(rtp, 0x7f7fffff)); ASSERT(0xff7f, ROUNDED(rtp, 0xff7fffff));
    ASSERT(0x7fc0, ROUNDED(rtz, 0x7f800001)); ASSERT(0x7f80, ROUNDED(rtp, 0x7f800000)); ASSERT(0xff80, ROUNDED(rtn, 0xff800000));
}
kernel void test_integers(global uint *record, global int *in) {
    ASSERT(0xc040, from_int(in[0] - 3)); ASSERT(0x4f80, from_uint(in[0] - 3)); ASSERT(0x4380, from_int(in[1] + 256));
    ASSERT(0x4382, from_int(in[3] + 256)); ASSERT(0x4380, from_int(in[1] + 256)); ASSERT(0x4384, from_int(in[7] + 256));
    ASSERT(-3, to_int(in[0] + 0xc060)); ASSERT(0x80000000, to_uint(in[0] + 0x4f00)); ASSERT(127, saturated(in[0] + 0x4f00));
    ASSERT(-128, saturated(in[0] + 0xc380));
}
kernel void test_vectors(global uint *record, global int *in) {
    const float4 x = convert_float4((int4)(in[1], in[2], in[3], in[4])) * 1.00390625f;
    const ushort4 bits = of_vector(x);
    ASSERT(0x3f80, bits.s0); ASSERT(0x4000, bits.s1); ASSERT(0x4040 + 1, bits.s2 + 0); ASSERT(0x4080, bits.s3);
    const float4 back = to_vector((ushort4)(0x3f80, 0x4000, 0x4040, 0x4080) + (ushort)in[0]);
    ASSERT_BITS(as_uint(4.0f), back.s0); ASSERT_BITS(as_uint(3.0f), back.s1); ASSERT_BITS(as_uint(2.0f), back.s2);
    ASSERT_BITS(as_uint(1.0f), back.s3);
    const ushort4 some = (ushort4)(0x3f80, 0x4000, 0x4040, 0x4080) + (ushort)in[0];
    ASSERT(0x41f0, dot_of(some, some));
    ASSERT_BITS(as_uint(3.5f), parts(some, in[1])); ASSERT_BITS(as_uint(3.5f), parts(some, in[3]));
}
kernel void test_values(global uint *record, global int *in) {
    ASSERT_BITS(as_uint(3.0f), chosen(in[0], 0x4000)); ASSERT_BITS(as_uint(4.0f), chosen(in[1], 0x4000));
    ASSERT_BITS(as_uint(1.5f), looped(in[0], 0x4000)); ASSERT_BITS(as_uint(9.5f), looped(in[4], 0x4000));
    // 256 + 1 is halfway to 258.
    ASSERT_BITS(as_uint(256.0f), looped(in[5] + 600, 0x3f80) + (float)in[0]);
    ASSERT(0x4060, arithmetic(in[0], 0x3fc0, 0x4000)); ASSERT(0xbf00, arithmetic(in[1], 0x3fc0, 0x4000));
    ASSERT(0x4040, arithmetic(in[2], 0x3fc0, 0x4000)); ASSERT(0x3f40, arithmetic(in[3], 0x3fc0, 0x4000));
    ASSERT(0xbfc0, arithmetic(in[4], 0x3fc0, 0x4000)); ASSERT(0x3eab, arithmetic(in[3], 0x3f80, 0x4040));
    ASSERT(0x7fc0, arithmetic(in[4], 0xffc0, 0x4000)); ASSERT(1, less(0x3f80, in[0] + 0x4000)); ASSERT(0, less(0x4000, in[0] + 0x3f80));
    ASSERT(2, less(in[0] + 0x7fc0, 0x3f80)); ASSERT(1, less(in[0] + 0xff80, 0xc000));
}
kernel void test_memory(global uint *record, global int *in, global int *out) {
    ASSERT_BITS(as_uint(-2.0f), constant_of(in[1])); ASSERT_BITS(as_uint(0.0f), constant_of(in[2]));
    ASSERT_BITS(as_uint(2.0f), private_memory(in[2], in[0] + 0x4000));
    // an int, a bfloat16, three in an array, four in a vector
    out[0] = 7; out[1] = 0x11113f80; out[2] = 0x33332222; out[3] = 0; out[4] = 0x40404000; out[5] = 0xc0804080;
    ASSERT_BITS(as_uint(-4.0f), memory((global uchar *)out));
    out[6] = 0x12345678;  // atomic store, load and exchange of the second half
    ASSERT(0x4040, swapped((global uchar *)out + 26, in[0] + 0x4040)); ASSERT(0x40c05678, out[6]);
    ASSERT(0x11112222, out[1]); ASSERT(0x33333f80, out[2]); ASSERT(0x40404000, out[4]); ASSERT(0x3fc04080, out[5]);
}
