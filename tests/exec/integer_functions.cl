// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, wrong-idioms
// Integer functions: 1.13.3-1 to 1.13.3-16.
#include "assert.h"
kernel void test_integer(global uint *record, global int *in) {
    int a = in[100], b = -in[7];
    ASSERT(7, abs(b)); ASSERT(107, abs_diff(a, b)); ASSERT(0xffffffff, abs_diff(0x7fffffff + in[0], (int)0x80000000));
    ASSERT(127, add_sat((char)a, (char)a)); ASSERT(-128, sub_sat((char)-100, (char)a)); ASSERT(255, add_sat((uchar)200, (uchar)a));
    ASSERT(0x7fffffff, add_sat(0x7fffffff, a)); ASSERT(0, sub_sat(5u, (uint)a)); ASSERT(0x80000000, sub_sat((int)0x80000001, a));
    ASSERT_LONG(0x7fffffffffffffff, add_sat(0x7fffffffffffffffl, (long)a));
    ASSERT(46, hadd(a, b)); ASSERT(47, rhadd(a, b)); ASSERT(0xffffffff, hadd(0xffffffffu, 0xffffffffu - in[0]));
    ASSERT(0x80, hadd((uchar)0xff, (uchar)in[1]));
    ASSERT(50, clamp(a, in[5], in[50])); ASSERT(25, clz(a)); ASSERT(32, clz(in[0])); ASSERT(1, clz((uchar)a)); ASSERT(16, clz((ushort)in[0]));
    ASSERT(64, clz((ulong)in[0])); ASSERT(57, clz((long)a));
    ASSERT(-693, mad_hi(a, b, -692)); ASSERT(0xfffffffe, mul_hi(0xffffffffu, 0xffffffffu - in[0])); ASSERT(-1, mul_hi(b, a));
    ASSERT(0x26, mul_hi((uchar)a, (uchar)a) - 1 + in[0]); ASSERT_LONG(0xfffffffffffffffe, mul_hi(~0ul, ~0ul - in[0]));
    ASSERT(0x7fffffff, mad_sat(a, 0x7ffffff, a)); ASSERT(127, mad_sat((char)a, (char)a, (char)-100)); ASSERT(255, mad_sat((uchar)a, (uchar)a, (uchar)1));
    ASSERT(0x7fffffff, mad_sat(a, 0x7fffffff, a)); ASSERT(0x80000000, mad_sat(0x7fffffff, b, b)); ASSERT(0, mad_sat(in[0], 0x7fffffff, in[0]));
    ASSERT(a, max(a, b)); ASSERT(b, min(a, b)); ASSERT(0xfffffff9, max((uint)a, (uint)b));
    ASSERT(0x00000c80, rotate(a, in[5])); ASSERT(0x8c, rotate((uchar)0x19, (uchar)in[7])); ASSERT_LONG(0x8000000000000001, rotate(0xc000000000000000ul, (ulong)in[1]));
    ASSERT(0x1234, upsample((uchar)0x12, (uchar)(0x34 + in[0]))); ASSERT_LONG(0xffffffff00000064, upsample(-1, (uint)a)); ASSERT(-200, upsample((short)-1, (ushort)65336));
    ASSERT(3, popcount(a)); ASSERT(8, popcount((uchar)-1)); ASSERT(64, popcount(~0ul - in[0])); ASSERT(16, popcount((short)(-1 + in[0])));
    ASSERT(-700, mul24(a, b)); ASSERT(-699, mad24(a, b, 1));
    int4 v = max((int4)(in[1], 2, 3, 4), 3); ASSERT(3, v.x); ASSERT(4, v.w);
    uchar16 c = add_sat((uchar16)(200), (uchar16)(in[100])); ASSERT(255, c.sf);
    short8 r = rotate((short8)(1), (short8)(in[15])); ASSERT(-32768, r.s5);
}

// A number that was shifted left by 31 keeps its full 64-bit value in every further operation.
kernel void test_limits_of_shifted(global uint *record, global int *in) {
    for (int i = 0; i < 8; i++) {
        const int x = in[i] - 4;
        const long wide = x, product = wide * 0x80000000L, limit = x > 0 ? 0x7fffffff : x < 0 ? -0x7fffffff - 1 : 0;
        ASSERT(limit, convert_int_sat(wide << 31));
        ASSERT(limit, convert_int_sat(product));
        ASSERT_LONG(x > 0 ? limit : product, min(wide << 31, 0x7fffffffL));
        ASSERT_LONG(x < 0 ? limit : product, max(wide << 31, -0x80000000L));
        ASSERT_LONG(product + 11, mad_sat(wide, 0x80000000L, 11L));
        ASSERT_LONG(limit, clamp((long2)(wide, i) << 31, -0x80000000L, 0x7fffffffL).x);
        const long4 sums = mad_sat((long4)(wide), (long4)(8, 0x80000000L, LONG_MAX, -1), 11L);
        long separate[4];
        vstore4(sums, 0, separate);
        ASSERT_LONG(8 * x + 11, separate[in[100] & 0]);
        ASSERT_LONG(product + 11, separate[in[101] & 0 | 1]);
        ASSERT_LONG(x > 0 ? LONG_MAX : x < -1 ? LONG_MIN : x * LONG_MAX + 11, separate[in[102] & 0 | 2]);
        ASSERT_LONG(11 - x, separate[in[103] & 0 | 3]);
        ASSERT_LONG(product, ((long2)(wide) << (long2)(i, 31)).y);
        ASSERT_LONG(product, ((long2)(wide) * (long2)(i, 0x80000000L)).y);
    }
}
