// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// clang's __builtin_ functions that OpenCL C has no name for: counts, carries, overflow, classes, extremes.
#include "assert.h"

kernel void test_counts(global uint *record, global int *in) {
    const int one = in[1], minus = -one;
    ASSERT(30, __builtin_clrsb(one)); ASSERT(31, __builtin_clrsb(minus)); ASSERT(31, __builtin_clrsb(in[0]));
    ASSERT(0, __builtin_clrsb(minus ^ 0x7fffffff)); ASSERT(62, __builtin_clrsbl((long)one)); ASSERT(31, __builtin_clrsbll((long)one << 31));
    ASSERT(8, __builtin_popcountg((uchar)minus)); ASSERT(16, __builtin_popcountg((ushort)minus)); ASSERT(64, __builtin_popcountg((ulong)minus));
    ASSERT(7, __builtin_clzg((uchar)one)); ASSERT(15, __builtin_clzg((ushort)one)); ASSERT(31, __builtin_clzg((uint)one)); ASSERT(63, __builtin_clzg((ulong)one));
    ASSERT(-5, __builtin_clzg((uchar)in[0], -5)); ASSERT(31, __builtin_clzg((uint)one, -5)); ASSERT(77, __builtin_ctzg((ulong)in[0], 77));
    ASSERT(3, __builtin_ctzg((uchar)in[8])); ASSERT(9, __builtin_ctzg((ushort)(one << 9), 3)); ASSERT(40, __builtin_ctzg((ulong)one << 40));
    ASSERT(0x34, __builtin_bswapg((uchar)(0x33 + one))); ASSERT(0x3412, __builtin_bswapg((ushort)(0x1233 + one)));
    ASSERT(0x78563412, __builtin_bswapg((uint)(0x12345677 + one))); ASSERT_LONG(0x0100000000000000, __builtin_bswapg((ulong)one));
    ASSERT(0x80, __builtin_bitreverseg((uchar)one)); ASSERT(0x8000, __builtin_bitreverseg((ushort)one)); ASSERT_LONG(1ul << 63, __builtin_bitreverseg((ulong)one));
}

kernel void test_carries(global uint *record, global int *in) {
    const uint one = in[1];
    uint out = in[9];
    ASSERT(0, __builtin_addc(~0u, one, in[0], &out)); ASSERT(1, out);
    ASSERT(~0u, __builtin_addc(~0u, ~0u + in[0], one, &out)); ASSERT(1, out);
    ASSERT(7, __builtin_addc(in[3], in[3], one, &out)); ASSERT(0, out);
    ASSERT(0, __builtin_addc(~0u, in[0], one, &out)); ASSERT(1, out);
    ASSERT(~0u, __builtin_subc(in[0], in[0], one, &out)); ASSERT(1, out);
    ASSERT(1, __builtin_subc(in[5], in[3], one, &out)); ASSERT(0, out);
    ASSERT(0xfffffffe, __builtin_subc(in[3], in[5], in[0], &out)); ASSERT(1, out);
    uchar byte; ushort word; ulong wide;
    ASSERT(44, __builtin_addcb((uchar)in[100], (uchar)(in[100] * 2), (uchar)in[0], &byte)); ASSERT(1, byte);
    ASSERT(0xffff, __builtin_subcs((ushort)in[2], (ushort)in[2], (ushort)one, &word)); ASSERT(1, word);
    ASSERT_LONG(0, __builtin_addcl(~0ul, (ulong)one, 0ul, &wide)); ASSERT_LONG(1, wide);
    ASSERT_LONG(~0ul - 1, __builtin_subcll((ulong)in[0], (ulong)one, (ulong)one, &wide)); ASSERT_LONG(1, wide);
}

// The exact result of operands of any types, in a type of its own.
kernel void test_overflow(global uint *record, global int *in) {
    const int one = in[1];
    const long wide = (long)one << 40;
    int i; uint u; long l; ulong ul; char c; uchar uc; short s;
    ASSERT(1, __builtin_add_overflow(wide, (long)in[7], &i)); ASSERT(7, i);
    ASSERT(0, __builtin_add_overflow(wide, in[7] - wide, &i)); ASSERT(7, i);
    ASSERT(1, __builtin_sub_overflow(in[3], in[5], &u)); ASSERT(-2, u);
    ASSERT(0, __builtin_sub_overflow((uint)in[3], (uint)in[5], &i)); ASSERT(-2, i);
    ASSERT(0, __builtin_sub_overflow((ulong)in[3], in[5], &l)); ASSERT_LONG(-2, l);
    ASSERT(0, __builtin_add_overflow(~0ul - in[0], -in[1], &ul)); ASSERT_LONG(~0ul - 1, ul);
    ASSERT(1, __builtin_add_overflow(~0ul - in[0], one, &ul)); ASSERT_LONG(0, ul);
    ASSERT(1, __builtin_add_overflow(~0ul - in[0], in[0], &l)); ASSERT_LONG(-1, l);
    ASSERT(1, __builtin_sub_overflow(LONG_MIN + in[0], (ulong)one, &l)); ASSERT_LONG(LONG_MAX, l);
    ASSERT(0, __builtin_mul_overflow(-in[1], LONG_MAX, &l)); ASSERT_LONG(-LONG_MAX, l);
    ASSERT(0, __builtin_mul_overflow(-in[1], 1ul << 63, &l)); ASSERT_LONG(LONG_MIN, l);
    ASSERT(1, __builtin_mul_overflow(-in[1], (1ul << 63) + one, &l)); ASSERT_LONG(LONG_MAX, l);
    ASSERT(1, __builtin_mul_overflow(-in[1], (ulong)one, &ul)); ASSERT_LONG(~0ul, ul);
    ASSERT(0, __builtin_mul_overflow(-in[1], -in[9], &uc)); ASSERT(9, uc);
    ASSERT(0, __builtin_mul_overflow((short)in[100], (char)in[100], &s)); ASSERT(10000, s);
    ASSERT(1, __builtin_mul_overflow(in[100], in[2], &c)); ASSERT(-56, c);
    ASSERT(0, __builtin_mul_overflow(in[100], in[2], &uc)); ASSERT(200, uc);
    ASSERT(1, __builtin_mul_overflow(~0ul - in[0], ~0ul - in[0], &l)); ASSERT_LONG(1, l);
    ASSERT(1, __builtin_saddl_overflow(LONG_MAX, (long)one, &l)); ASSERT_LONG(LONG_MIN, l);
    ASSERT(1, __builtin_usubll_overflow((ulong)in[0], (ulong)one, &ul)); ASSERT_LONG(~0ul, ul);
    ASSERT(1, __builtin_smulll_overflow(wide, wide, &l)); ASSERT_LONG(0, l);
}

#define IS(expected, mask, x) ASSERT(expected, __builtin_isfpclass(x, mask))
kernel void test_classes(global uint *record, global int *in) {
    const float x[] = {as_float(0x7f800001 + in[0]), as_float(0x7fc00000 + in[0]), as_float(0xff800000 + in[0]), -1.5f - in[0],
                       as_float(0x80000001 + in[0]), as_float(0x80000000 + in[0]), as_float(in[0]), as_float(0x007fffff + in[0]),
                       as_float(0x00800000 + in[0]), as_float(0x7f800000 + in[0])};
    for (int i = 0; i < 10; i++) {
        const int only[] = {__builtin_isfpclass(x[i], 1), __builtin_isfpclass(x[i], 2), __builtin_isfpclass(x[i], 4), __builtin_isfpclass(x[i], 8),
                            __builtin_isfpclass(x[i], 16), __builtin_isfpclass(x[i], 32), __builtin_isfpclass(x[i], 64), __builtin_isfpclass(x[i], 128),
                            __builtin_isfpclass(x[i], 256), __builtin_isfpclass(x[i], 512)};
        for (int j = 0; j < 10; j++) ASSERT(i == j, only[j]);
        const int m = 1 << i;
        ASSERT((m & 3) != 0, __builtin_isfpclass(x[i], 3)); ASSERT((m & 0x204) != 0, __builtin_isfpclass(x[i], 0x204));
        ASSERT((m & 0x108) != 0, __builtin_isfpclass(x[i], 0x108)); ASSERT((m & 0x3c0) != 0, __builtin_isfpclass(x[i], 0x3c0));
        IS(0, 0, x[i]); IS(1, 1023, x[i]);
        ASSERT((m & 0x60) != 0, __builtin_iszero(x[i])); ASSERT((m & 0x90) != 0, __builtin_issubnormal(x[i])); ASSERT(m == 1, __builtin_issignaling(x[i]));
        ASSERT(m == 4 ? -1 : m == 512, __builtin_isinf_sign(x[i]));
        ASSERT(m < 4 ? 10 : m == 4 || m == 512 ? 20 : m == 8 || m == 256 ? 30 : m == 16 || m == 128 ? 40 : 50, __builtin_fpclassify(10, 20, 30, 40, 50, x[i]));
    }
    int4 lanes = __builtin_isfpclass((float4)(x[1], x[3], x[6], x[9]), 0x202);
    ASSERT(1, lanes.x); ASSERT(0, lanes.y); ASSERT(0, lanes.z); ASSERT(1, lanes.w);
    ASSERT(0x7fc00123, as_uint(__builtin_nanf("0x123"))); ASSERT(0x7fa00000, as_uint(__builtin_nansf(""))); ASSERT(0x7f800007, as_uint(__builtin_nansf("7")));
}

kernel void test_extremes(global uint *record, global int *in) {
    const float zero = in[0], below = -zero, nan = as_float(0x7fc00000 + in[0]), three = in[3];
    ASSERT_BITS(0, __builtin_elementwise_maximum(below, zero)); ASSERT_BITS(0, __builtin_elementwise_maximum(zero, below));
    ASSERT_BITS(0x80000000, __builtin_elementwise_minimum(zero, below)); ASSERT_BITS(0x80000000, __builtin_elementwise_minimumnum(below, zero));
    ASSERT(1, isnan(__builtin_elementwise_maximum(three, nan))); ASSERT(1, isnan(__builtin_elementwise_minimum(nan, three)));
    ASSERT_BITS(0x40400000, __builtin_elementwise_maximumnum(nan, three)); ASSERT_BITS(0x40400000, __builtin_fminimum_numf(three, nan));
    ASSERT_BITS(0x40400000, __builtin_fmaximum_numf(three, -three)); ASSERT_BITS(0xc0400000, __builtin_elementwise_minimum(three, -three));
    ASSERT_BITS(0x40400000, __builtin_elementwise_maxnum(nan, three)); ASSERT(1, isnan(__builtin_elementwise_minimumnum(nan, nan)));
    const float4 v = __builtin_elementwise_maximum((float4)(three, zero, nan, below), (float4)(in[4], below, three, below));
    ASSERT(4, v.x); ASSERT_BITS(0, v.y); ASSERT(1, isnan(v.z)); ASSERT_BITS(0x80000000, v.w);
    ASSERT_BITS(0x40400000, __builtin_reduce_maximum((float3)(three, -three, zero))); ASSERT_BITS(0x80000000, __builtin_reduce_minimum((float2)(zero, below)));
    ASSERT(1, isnan(__builtin_reduce_minimum((float4)(three, zero, nan, three))));
    ASSERT_BITS(0x40400000, __builtin_canonicalizef(three)); ASSERT(1, isnan(__builtin_canonicalizef(nan))); ASSERT_BITS(0x80000000, __builtin_canonicalizef(below));
    ASSERT(3, __builtin_elementwise_canonicalize((float2)(three, nan)).x);
}

kernel void test_elements(global uint *record, global int *in) {
    const int3 v = (int3)(in[1], in[0], in[100]);
    ASSERT(31, __builtin_elementwise_clzg(v, (int3)(-1)).x); ASSERT(-1, __builtin_elementwise_clzg(v, (int3)(-1)).y); ASSERT(25, __builtin_elementwise_clzg(v, (int3)(-1)).z);
    ASSERT(2, __builtin_elementwise_ctzg(v).z); ASSERT(7, __builtin_elementwise_ctzg((uchar2)(in[0], 6), (uchar2)(7)).x); ASSERT(1, __builtin_elementwise_ctzg((uchar2)(in[0], 6)).y);
    ASSERT(3, __builtin_elementwise_popcount(v).z); ASSERT(0x80000000, __builtin_elementwise_bitreverse(v).x);
    const uint a = 0x12345678 + in[0], b = 0x9abcdef0 + in[0];
    ASSERT(a, __builtin_elementwise_fshl(a, b, (uint)in[0])); ASSERT(b, __builtin_elementwise_fshr(a, b, (uint)in[32]));
    ASSERT(0x3456789a, __builtin_elementwise_fshl(a, b, (uint)in[8])); ASSERT(0x789abcde, __builtin_elementwise_fshr(a, b, (uint)in[8]));
    ASSERT(0x91a2b3c4, __builtin_elementwise_fshl(a, b, (uint)in[3])); ASSERT(0x4d5e6f78, __builtin_elementwise_fshl(a, b, (uint)in[31]));
    ASSERT(0x23, __builtin_elementwise_fshl((uchar)0x12, (uchar)(0x34 + in[0]), (uchar)in[12])); ASSERT_LONG(0x2l, __builtin_elementwise_fshl((ulong)in[0], 1ul << 63, (ulong)in[2]));
    ASSERT(127, __builtin_elementwise_add_sat((char)in[100], (char)in[100]));
    ASSERT_BITS(0xc0c00000, __builtin_elementwise_rint((float2)(-4.5f - in[1], 0)).x); ASSERT(3, __builtin_elementwise_round(in[1] * 2.5f)); ASSERT(2, __builtin_elementwise_nearbyint(in[1] * 2.5f));
    ASSERT(12, __builtin_elementwise_ldexp((float2)(3), (int2)(in[2], 1)).x); ASSERT(7, __builtin_elementwise_fma((float)in[2], 3.0f, (float)in[1]));
    ASSERT(1, __builtin_elementwise_fmod((float)in[7], 3.0f)); ASSERT_BITS(0xc0400000, __builtin_elementwise_copysign((float)in[3], -1.0f)); ASSERT(8, __builtin_elementwise_exp2((float)in[3]));
    ASSERT(1, fabs(__builtin_elementwise_atan2((float)in[1], (float)in[1]) - M_PI_4_F) < 1e-6f); ASSERT(1, fabs(__builtin_elementwise_sqrt((float2)(in[2])).y - M_SQRT2_F) < 1e-6f);
    ASSERT(3, __builtin_lrintf(in[1] * 2.75f)); ASSERT(2, __builtin_llrintf(in[1] * 2.5f)); ASSERT(3, __builtin_lroundf(in[1] * 2.5f)); ASSERT_LONG(-3, __builtin_llroundf(in[1] * -2.5f));
    ASSERT(8, __builtin_powif((float)in[2], in[3])); ASSERT(6, __builtin_ilogbf((float)in[100])); ASSERT(100, __builtin_exp10f((float)in[2])); ASSERT(2, __builtin_roundevenf(in[1] * 2.5f));
    ASSERT(12, __builtin_scalbnf((float)in[3], in[2])); ASSERT(12, __builtin_scalblnf((float)in[3], (long)in[2])); ASSERT_BITS(0x7f800000, __builtin_scalblnf((float)in[3], (long)in[2] << 33));
    ASSERT_BITS(0, __builtin_scalblnf((float)in[3], -((long)in[2] << 33)));
    int quotient;
    ASSERT_BITS(0xbf800000, __builtin_remquof((float)in[11], 4.0f, &quotient)); ASSERT(3, quotient & 7);
}

kernel void test_memory(global uint *record, global int *in) {
    ASSERT(16, __builtin_align_up(in[9], 8)); ASSERT(8, __builtin_align_down(in[9], 8)); ASSERT(8, __builtin_align_up(in[8], in[4]));
    ASSERT(1, __builtin_is_aligned(in[24], 8)); ASSERT(0, __builtin_is_aligned(in[20], in[8])); ASSERT(64, __builtin_align_up((uchar)in[33], 32));
    global int *p = in + 5;
    ASSERT(1, __builtin_is_aligned(p, 4)); ASSERT(8, *__builtin_align_up(p, 16)); ASSERT(4, *__builtin_align_down(p, in[16])); ASSERT(5, *__builtin_align_up(p, 4));
    ASSERT(5, __builtin_nontemporal_load(p)); ASSERT(6, __builtin_nontemporal_load((global int2 *)(in + 6)).x);
    int there[4] = {0, 0, 0, 0};
    __builtin_nontemporal_store(in[7], &there[in[2]]);
    ASSERT(7, there[2]); ASSERT(0, there[1]);
    __builtin_memcpy_inline(there, in + 10, sizeof there); ASSERT(13, there[3]);
    __builtin_memset_inline(there, 1, 8); ASSERT(0x01010101, there[1]); ASSERT(12, there[2]);
}
