// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// cl_khr_integer_dot_product, which the default standard has too: each function, in its packed form as well, against products and sums;
// sums that saturate at either end.
#include "assert.h"

#if !defined(cl_khr_integer_dot_product) || !defined(__opencl_c_integer_dot_product_input_4x8bit) || \
    !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
#error "no macros of cl_khr_integer_dot_product"
#endif

constant uint words[8] = {0, ~0u, 0x80808080, 0x7f7f7f7f, 0x01fe8000, 0x12f4a7c3, 0x00000080, 0xff000000};
constant int sums[5] = {0, 7, -1, INT_MIN + 9, INT_MAX - 9};

#define SUM(a, b) ((int)a.x * b.x + (int)a.y * b.y + (int)a.z * b.z + (int)a.w * b.w)
int saturated(long x) { return (int)min(max(x, (long)INT_MIN), (long)INT_MAX); }

kernel void test_dot(global uint *record, global int *in) {
    for (int i = 0; i < 64; i++) {
        const uint p = words[i / 8] + in[0], q = words[i % 8] + in[0];
        const uchar4 a = as_uchar4(p), b = as_uchar4(q);
        const char4 c = as_char4(p), d = as_char4(q);
        ASSERT(SUM(a, b), dot(a, b)); ASSERT(SUM(a, b), dot_4x8packed_uu_uint(p, q));
        ASSERT(SUM(c, d), dot(c, d)); ASSERT(SUM(c, d), dot_4x8packed_ss_int(p, q));
        ASSERT(SUM(a, d), dot(a, d)); ASSERT(SUM(a, d), dot_4x8packed_us_int(p, q));
        ASSERT(SUM(c, b), dot(c, b)); ASSERT(SUM(c, b), dot_4x8packed_su_int(p, q));
    }
}

kernel void test_dot_acc_sat(global uint *record, global int *in) {
    for (int i = 0; i < 320; i++) {
        const uint p = words[i / 40] + in[0], q = words[i / 5 % 8] + in[0];
        const int s = sums[i % 5] + in[0];
        const uint u = (uint)s;
        const uchar4 a = as_uchar4(p), b = as_uchar4(q);
        const char4 c = as_char4(p), d = as_char4(q);
        const uint all = u + SUM(a, b) < u ? ~0u : u + SUM(a, b);
        ASSERT(all, dot_acc_sat(a, b, u)); ASSERT(all, dot_acc_sat_4x8packed_uu_uint(p, q, u));
        ASSERT(saturated((long)s + SUM(c, d)), dot_acc_sat(c, d, s));
        ASSERT(saturated((long)s + SUM(c, d)), dot_acc_sat_4x8packed_ss_int(p, q, s));
        ASSERT(saturated((long)s + SUM(a, d)), dot_acc_sat(a, d, s));
        ASSERT(saturated((long)s + SUM(a, d)), dot_acc_sat_4x8packed_us_int(p, q, s));
        ASSERT(saturated((long)s + SUM(c, b)), dot_acc_sat(c, b, s));
        ASSERT(saturated((long)s + SUM(c, b)), dot_acc_sat_4x8packed_su_int(p, q, s));
    }
}
