// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, wrong-idioms
// convert_*, as_*, casts: 1.2.2-1, 1.2.3-1 to 1.2.3-16, 1.2.4-1 to 1.2.4-8.
#include "assert.h"
kernel void test_saturation(global uint *record, global int *in) {
    int big = in[300];
    ASSERT(255, convert_uchar_sat(big)); ASSERT(0, convert_uchar_sat(-big)); ASSERT(44, convert_uchar(big));
    ASSERT(127, convert_char_sat(big)); ASSERT(-128, convert_char_sat(-big));
    ASSERT(0, convert_uint_sat(-big)); ASSERT(0x7fffffff, convert_int_sat(0x80000000u + big));
    ASSERT_LONG(0x7fffffffffffffff, convert_long_sat(0x8000000000000000ul + big));
    float f = big;
    ASSERT(255, convert_uchar_sat(f)); ASSERT(0, convert_uchar_sat(-f));
    ASSERT(0x7fffffff, convert_int_sat(f * 1e10f)); ASSERT(0x80000000, convert_int_sat(-f * 1e10f));
    ASSERT(0xffffffff, convert_uint_sat(f * 1e10f));
    ASSERT(0, convert_int_sat(as_float(0x7fc00000 + in[0])));
    uchar4 v = convert_uchar4_sat((int4)(in[300], -in[3], in[7], in[255]));
    ASSERT(255, v.x); ASSERT(0, v.y); ASSERT(7, v.z); ASSERT(255, v.w);
}
kernel void test_saturation_after_widening(global uint *record, global int *in) {
    ASSERT(0xffffffff, convert_uint_sat(0x7fffffff7ffffffful)); ASSERT(0x7fffffff, (uint)0x7fffffff7ffffffful);
    ASSERT(-128, convert_char_sat((short)-300)); ASSERT(127, convert_char_sat(0x0001000000000000l));
    short all = in[0] - 1;
    ASSERT(127, convert_char_sat((int)(ushort)all)); ASSERT(65535, convert_ushort_sat((uint)(int)all));
    ASSERT(-1, convert_char_sat((int)all)); ASSERT(32767, convert_short_sat((int)(ushort)all));
}
kernel void test_rounding(global uint *record, global int *in) {
    float h = in[5] * 0.5f;   // 2.5
    ASSERT(2, convert_int(h)); ASSERT(2, convert_int_rte(h)); ASSERT(3, convert_int_rtp(h)); ASSERT(2, convert_int_rtn(h)); ASSERT(2, convert_int_rtz(h));
    ASSERT(-2, convert_int(-h)); ASSERT(-2, convert_int_rte(-h)); ASSERT(-2, convert_int_rtp(-h)); ASSERT(-3, convert_int_rtn(-h));
    ASSERT(4, convert_int_rte(h + 1.0f)); ASSERT(3, convert_uchar_sat_rtp(h));
    int odd = 16777217 + in[0];
    ASSERT_BITS(0x4b800000, convert_float(odd)); ASSERT_BITS(0x4b800000, convert_float_rtz(odd));
    ASSERT_BITS(0x4b800001, convert_float_rtp(odd)); ASSERT_BITS(0x4b800000, convert_float_rtn(odd));
    ASSERT_BITS(0xcb800001, convert_float_rtn(-odd)); ASSERT_BITS(0xcb800000, convert_float_rtz(-odd));
    ulong all = ~0ul - in[0];
    ASSERT_BITS(0x5f800000, convert_float(all)); ASSERT_BITS(0x5f7fffff, convert_float_rtz(all)); ASSERT_BITS(0x5f7fffff, convert_float_rtn(all));
    int4 r = convert_int4_rte((float4)(h, h + 1.0f, -h, 0.5f));
    ASSERT(2, r.x); ASSERT(4, r.y); ASSERT(-2, r.z); ASSERT(0, r.w);
}
kernel void test_reinterpretation(global uint *record, global int *in) {
    ASSERT(0x3f800000, as_int((float)in[1]));
    ASSERT_BITS(0x40490fdb, as_float(0x40490fdb + in[0]));
    uchar4 b = as_uchar4(0x04030201 + in[0]);
    ASSERT(1, b.x); ASSERT(4, b.w);
    ASSERT(0x0201, as_short2(b).x); ASSERT(0x04030201, as_uint(b));
    ASSERT_LONG(0x0000000200000001ul, as_ulong((int2)(in[1], in[2])));
    float4 f = as_float4((int4)(0x3f800000 + in[0], 0, 0, 0x40000000));
    ASSERT_BITS(0x40000000, f.w);
    int8 w = as_int8((long4)(in[1], 2l << 32, 3, 4));
    ASSERT(1, w.s0); ASSERT(2, w.s3); ASSERT(4, w.s6);
    int3 t = as_int3((int4)(in[1], in[2], in[3], in[4]));
    ASSERT(3, t.z);
    ASSERT(-1, (char)in[255]); ASSERT(255, (uchar)-1); ASSERT(3, (int)(3.99f + in[0]));
    float4 s = (float4)(in[7]);
    ASSERT_BITS(0x40e00000, s.z);
    short8 n = convert_short8(convert_float8((int8)(in[9], 1, 2, 3, 4, 5, 6, -7)));
    ASSERT(9, n.s0); ASSERT(-7, n.s7);
    ASSERT_LONG(-5, convert_long(-in[5])); ASSERT_LONG(0xfffffffb, convert_long((uint)-in[5]));
}
// 1.2.3-17
kernel void test_examples(global uint *record, global int *in) {
    const short4 s = (short4)(in[300], in[0] - 5, in[127], in[128]);
    const ushort4 u = convert_ushort4_sat(s); ASSERT(300, u.x); ASSERT(0, u.y); ASSERT(128, u.w);
    const char4 c = convert_char4_sat(s); ASSERT(127, c.x); ASSERT(-5, c.y); ASSERT(127, c.z); ASSERT(127, c.w);
    const float4 f = (float4)(in[5] * 0.5f, in[7] * -0.5f, in[3] * 1e10f, in[3] * -1e10f);
    const int4 i = convert_int4_sat(f), r = convert_int4_sat_rte(f); ASSERT(2, i.x); ASSERT(-3, i.y); ASSERT(INT_MAX, i.z); ASSERT(INT_MIN, i.w);
    ASSERT(2, r.x); ASSERT(-4, r.y); ASSERT(INT_MAX, r.z); ASSERT(-4, convert_int4_rte(f).y); ASSERT(-3, convert_int4(f).y);
    const int4 large = (int4)(16777217 + in[0], in[2] - 16777219, in[7], INT_MAX - in[0]);
    const float4 n = convert_float4(large), p = convert_float4_rtp(large);
    ASSERT_BITS(0x4b800000, n.x); ASSERT_BITS(0x4b800001, p.x); ASSERT_BITS(0xcb800000, n.y); ASSERT_BITS(0xcb800000, p.y);
    ASSERT_BITS(0x40e00000, p.z); ASSERT_BITS(0x4f000000, n.w); ASSERT_BITS(0x4f000000, p.w);
}
// A bit of the long that a float is converted to makes the choice.
#define CHOICE(VALUE, expected) { \
    int chosen = 5; \
    switch (((1 & (VALUE)) & 0x87) * 0x9000000000000001ul) { \
        default: break; \
        case 0xd000000000000005ul: case 0: case 0xaac7230489e80002ul: chosen = 11; \
    } \
    ASSERT(expected, chosen); }
kernel void test_bits_of_longs(global uint *record, global int *in) {
    for (int i = 0; i < 8; i++) {
        const float x = in[i];
        const int expected = (i & 1) != 0 ? 5 : 11;
        CHOICE(convert_long_sat_rte(x), expected)
        CHOICE((long)x, expected)
        CHOICE((ulong)x, expected)
        CHOICE((long)-x, expected)
        CHOICE((long)(x * 0x1p30f), 11)
    }
    const float exact = 0x1.fffffep0f + in[0];
    ASSERT_LONG(-0x7fffff8000000000, (long)(exact * -0x1p62f)); ASSERT_LONG(0x7fffff8000000000, (long)(exact * 0x1p62f));
    ASSERT_LONG(LONG_MIN, (long)(in[1] * -0x1p63f)); ASSERT_LONG(-0x1fffffe0, (long)(exact * -0x1p28f));
    ASSERT_LONG(0, (long)(in[0] - 0.75f)); ASSERT_LONG(-1, (long)(in[0] - 1.75f)); ASSERT_LONG(-0x100000000, (long)(in[1] * -0x1p32f));
    const long3 n = convert_long3((float3)(in[1] * -0x1p40f, in[7] + 0.9f, in[0] - 7.9f));
    ASSERT_LONG(-0x10000000000, n.x); ASSERT_LONG(7, n.y); ASSERT_LONG(-7, n.z);
#ifdef cl_khr_fp64
    for (int i = 0; i < 8; i++) {
        const double x = in[i] + 0.25;
        CHOICE((long)x, (i & 1) != 0 ? 5 : 11)
        CHOICE((ulong)x, (i & 1) != 0 ? 5 : 11)
    }
    const double all = 0x1.fffffffffffffp0 + in[0];
    ASSERT_LONG(-0x7ffffffffffffc00, (long)(all * -0x1p62)); ASSERT_LONG(-0x1fffffffffffff, (long)(all * -0x1p52));
    ASSERT_LONG(LONG_MIN, (long)(in[1] * -0x1p63)); ASSERT_LONG(-1, (long)(in[0] - 1.75)); ASSERT_LONG(0xfffffffffffff800, (ulong)(all * 0x1p63));
#endif
}
