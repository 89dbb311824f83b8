// SPDX-License-Identifier: Apache-2.0
// cl_arm_integer_dot_product_*: each function against products and sums, at the ends of its types too.
#include "assert.h"

#if !defined(cl_arm_integer_dot_product_int8) || !defined(cl_arm_integer_dot_product_accumulate_int8) || \
    !defined(cl_arm_integer_dot_product_accumulate_int16) || !defined(cl_arm_integer_dot_product_accumulate_saturate_int8)
#error "no macros of cl_arm_integer_dot_product_*"
#endif
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_int8 : enable

constant uint words[8] = {0, ~0u, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x12f4a7c3, 0x00000080, 0x7fff8000};
constant int sums[5] = {0, 7, -1, INT_MIN + 9, INT_MAX - 9};

#define SUM4(a, b) ((int)a.x * b.x + (int)a.y * b.y + (int)a.z * b.z + (int)a.w * b.w)

kernel void test_bytes(global uint *record, global int *in) {
    for (int i = 0; i < 320; i++) {
        const uint p = words[i / 40] + in[0], q = words[i / 5 % 8] + in[0];
        const int s = sums[i % 5] + in[0];
        const uint u = (uint)s;
        const uchar4 a = as_uchar4(p), b = as_uchar4(q);
        const char4 c = as_char4(p), d = as_char4(q);
        ASSERT(SUM4(a, b), arm_dot(a, b));
        ASSERT(SUM4(c, d), arm_dot(c, d));
        ASSERT(u + SUM4(a, b), arm_dot_acc(a, b, u));
        ASSERT((int)(u + SUM4(c, d)), arm_dot_acc(c, d, s));
        ASSERT(u + SUM4(a, b) < u ? ~0u : u + SUM4(a, b), arm_dot_acc_sat(a, b, u));
        const long whole = (long)s + SUM4(c, d);
        ASSERT((int)min(max(whole, (long)INT_MIN), (long)INT_MAX), arm_dot_acc_sat(c, d, s));
    }
}

kernel void test_halves(global uint *record, global int *in) {
    for (int i = 0; i < 320; i++) {
        const uint p = words[i / 40] + in[0], q = words[i / 5 % 8] + in[0];
        const uint u = (uint)(sums[i % 5] + in[0]);
        const ushort2 a = as_ushort2(p), b = as_ushort2(q);
        const short2 c = as_short2(p), d = as_short2(q);
        ASSERT(u + (uint)a.x * b.x + (uint)a.y * b.y, arm_dot_acc(a, b, u));
        ASSERT((int)(u + (uint)(c.x * d.x) + (uint)(c.y * d.y)), arm_dot_acc(c, d, (int)u));
    }
}
