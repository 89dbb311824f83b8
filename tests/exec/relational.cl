// SPDX-License-Identifier: Apache-2.0
// Relational functions: 1.13.6-1 to 1.13.6-11.
#include "assert.h"
kernel void test_relational(global uint *record, global int *in) {
    float one = in[1], two = in[2], nan = as_float(0x7fc00000 + in[0]), inf = as_float(0x7f800000 + in[0]);
    ASSERT(1, isequal(one, one)); ASSERT(0, isequal(nan, nan)); ASSERT(1, isnotequal(nan, nan)); ASSERT(1, isgreater(two, one));
    ASSERT(1, isgreaterequal(two, two)); ASSERT(1, isless(one, two)); ASSERT(0, islessequal(two, one)); ASSERT(1, islessgreater(one, two)); ASSERT(0, islessgreater(nan, one));
    ASSERT(1, isfinite(one)); ASSERT(0, isfinite(inf)); ASSERT(1, isinf(-inf)); ASSERT(1, isnan(nan)); ASSERT(0, isnan(inf)); ASSERT(1, isnormal(one));
    ASSERT(0, isnormal(as_float(in[1]))); ASSERT(1, isordered(one, two)); ASSERT(1, isunordered(nan, one)); ASSERT(1, signbit(-one)); ASSERT(1, signbit(as_float(0x80000000 + in[0])));
    int4 v = isless((float4)(one, two, nan, inf), (float4)(two)); ASSERT(-1, v.x); ASSERT(0, v.y); ASSERT(0, v.z); ASSERT(0, v.w);
    ASSERT(1, any((int4)(0, 0, -in[1], 0))); ASSERT(0, any((int4)(in[1]))); ASSERT(1, all((char3)(-in[1]))); ASSERT(0, all((int2)(-1, in[0]))); ASSERT(1, any(-in[1]));
    ASSERT(0x0f, bitselect(0xffu, (uint)in[0], 0xf0u)); ASSERT_BITS(0x3f800000, bitselect(two, one, as_float(~in[0])));
    ASSERT(5, select(in[5], in[6], in[0])); ASSERT(6, select(in[5], in[6], in[1]));
    int4 s = select((int4)(in[1]), (int4)(in[2]), (int4)(-1, 0, in[1], 0x80000000)); ASSERT(2, s.x); ASSERT(1, s.y); ASSERT(1, s.z); ASSERT(2, s.w);
    float8 f = select((float8)(one), (float8)(two), (int8)(-1, 0, -1, 0, -1, 0, -1, in[0])); ASSERT_BITS(0x40000000, f.s6); ASSERT_BITS(0x3f800000, f.s7);
}
// Drivers get comparisons of constant vectors with a NaN wrong.
#define OF_CONSTANTS(T)                                                                          \
    kernel void test_constants_##T(global uint *record, global const int *in) {                     \
        const T nan = (T)NAN, inf = (T)INFINITY; const T##4 w = (T##4)((T)0, nan, inf, (T)100);      \
        ASSERT(0x1, BITS(!w)); ASSERT(0xd, BITS(w == w)); ASSERT(0x2, BITS(w != w));                 \
        ASSERT(0xe, BITS(w != (T)0)); ASSERT(0x1, BITS(w < (T)1)); ASSERT(0xc, BITS(w > (T)1));      \
        ASSERT(0x9, BITS(w <= (T)100)); ASSERT(0xc, BITS(w >= (T)100)); ASSERT(0xe, BITS(!(w == (T)0))); \
        ASSERT(0xe, BITS(!(w < (T)1))); ASSERT(0xe, BITS(w && w)); ASSERT(0xe, BITS(w || (T)0));     \
        ASSERT(0x2, BITS(isnan(w))); ASSERT(0x4, BITS(isinf(w))); ASSERT(0x9, BITS(isfinite(w)));    \
        ASSERT(0x2, BITS(isunordered(w, (T##4)1))); ASSERT(0xd, BITS(isordered(w, (T##4)1)));        \
        ASSERT(0xc, BITS(islessgreater(w, (T##4)0))); ASSERT(0xe, BITS(isnotequal(w, (T##4)0)));     \
        ASSERT(0, !nan); ASSERT(1, nan != nan); ASSERT(0, nan <= inf); ASSERT(1, !(nan > inf));      \
    }
#define BITS(v) ((v).x & 1 | (v).y & 2 | (v).z & 4 | (v).w & 8)
OF_CONSTANTS(float)
#ifdef cl_khr_fp64
OF_CONSTANTS(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
OF_CONSTANTS(half)
#endif
