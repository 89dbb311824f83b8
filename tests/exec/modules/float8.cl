// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits (SPV_EXT_float8): float8.spvasm has the functions, which take and return the bits. A work-item has one
// of the 256 values, and the midpoint between it and the next one.
// RUN: global=256 local=64
#include "assert.h"
#include "modules/float8.h"

#define DECLARE(e)                                                                                            \
    uchar e##_from_float(float x); uchar e##_from_float_rte(float x); uchar e##_from_float_rtz(float x);      \
    uchar e##_from_float_rtp(float x); uchar e##_from_float_rtn(float x); uchar e##_from_float_sat(float x);  \
    uchar e##_from_bfloat(ushort x); uchar e##_from_short(short x);                                           \
    uchar e##_from_int(int x); uchar e##_from_uint(uint x); uchar e##_from_long(long x);                      \
    uchar e##_from_ulong_sat(ulong x); uchar e##_from_other(uchar x);                                         \
    float e##_to_float(uchar x); ushort e##_to_bfloat(uchar x);                                               \
    int e##_to_int(uchar x); uint e##_to_uint(uchar x); char e##_to_char(uchar x);
DECLARE(e4m3)
DECLARE(e5m2)
uchar4 of_vector(float4 x);
float4 to_vector(uchar4 x);
float parts(uchar4 x, int i);
float constant_of(int i);
float looped(int n, uchar x);
float memory(global uchar *p);
float private_memory(int i, uchar x);

// ---- Each value ----

#define VALUES(e, format)                                                                                     \
    kernel void test_values_##e(global uint *record) {                                                        \
        const uchar bits = get_global_id(0);                                                                  \
        const float value = e##_to_float(bits);                                                               \
        if (is_nan(format, bits)) {                                                                           \
            ASSERT(1, isnan(value)); ASSERT(1, is_nan(format, e##_from_float(value)));                        \
            ASSERT(1, (e##_to_bfloat(bits) & 0x7fff) > 0x7f80);                                               \
            ASSERT(bits & 128, e##_from_float(value) & 128);                                                  \
            ASSERT(1, is_nan(format, e##_from_bfloat(0xffc1)));                                               \
        } else {                                                                                              \
            ASSERT_BITS(as_uint(value_of(format, bits)), value);                                              \
            ASSERT(as_uint(value) >> 16, e##_to_bfloat(bits));                                                \
            ASSERT(bits, e##_from_float(value)); ASSERT(bits, e##_from_float_rte(value));                     \
            ASSERT(bits, e##_from_float_rtz(value)); ASSERT(bits, e##_from_float_rtp(value));                 \
            ASSERT(bits, e##_from_float_rtn(value));                                                          \
            ASSERT(bits, e##_from_bfloat(as_uint(value) >> 16));                                              \
            ASSERT(isinf(value) ? bits - 1 : bits, e##_from_float_sat(value));                                \
            if (!isinf(value)) {                                                                              \
                ASSERT((int)value, e##_to_int(bits)); ASSERT(clamp((int)value, -128, 127), e##_to_char(bits));\
                if (value >= 0) ASSERT((uint)value, e##_to_uint(bits));                                       \
                if (value == rint(value)) {                                                                   \
                    const uchar back = value == 0 ? 0 : bits;                                                 \
                    ASSERT(back, e##_from_int((int)value)); ASSERT(back, e##_from_long((long)value));         \
                    if (value >= 0) ASSERT(back, e##_from_uint((uint)value));                                 \
                    if (fabs(value) < 32768) ASSERT(back, e##_from_short((short)value));                      \
                }                                                                                             \
            }                                                                                                 \
        }                                                                                                     \
    }
VALUES(e4m3, kE4M3)
VALUES(e5m2, kE5M2)

// ---- Each midpoint ----

#define MIDPOINTS(e, format)                                                                                  \
    kernel void test_midpoints_##e(global uint *record) {                                                     \
        const uchar sign = get_global_id(0) & 128;                                                            \
        const uint below = get_global_id(0) & 127;                                                            \
        if (below > format.largest) return;                                                                   \
        const uchar low = below | sign, high = low + 1, even = low & 1 ? high : low;                          \
        const float middle = (value_of(format, below) + next_value(format, below)) / 2;                       \
        const float x = sign ? -middle : middle;                                                              \
        const float less = as_float(as_uint(x) - 1), more = as_float(as_uint(x) + 1);                         \
        ASSERT(even, e##_from_float(x)); ASSERT(even, e##_from_float_rte(x));                                 \
        ASSERT(low, e##_from_float(less)); ASSERT(high, e##_from_float(more));                                \
        ASSERT(low, e##_from_float_rtz(x)); ASSERT(low, e##_from_float_rtz(more));                            \
        ASSERT(sign ? low : high, e##_from_float_rtp(less)); ASSERT(sign ? high : low, e##_from_float_rtn(more)); \
        const float above = as_float(as_uint(value_of(format, low)) + 1);                                     \
        if (below != 0) ASSERT(sign ? low : high, e##_from_float_rtp(above));                                 \
        ASSERT(below == format.largest ? low : even, e##_from_float_sat(x));                                  \
        const ushort upper = as_uint(x) >> 16;                                                                \
        ASSERT(even, e##_from_bfloat(upper)); ASSERT(high, e##_from_bfloat(upper + 1));                       \
        ASSERT(low, e##_from_bfloat(upper - 1));                                                              \
        if (middle == rint(middle) && middle < (1 << 16)) {                                                   \
            const int whole = x;                                                                              \
            ASSERT(even, e##_from_int(whole)); ASSERT(even, e##_from_long(whole));                            \
            if (middle >= 64) {                                                                               \
                ASSERT(sign ? low : high, e##_from_int(whole + 1));                                           \
                ASSERT(sign ? high : low, e##_from_long(whole - 1));                                          \
            }                                                                                                 \
        }                                                                                                     \
    }
MIDPOINTS(e4m3, kE4M3)
MIDPOINTS(e5m2, kE5M2)

// ---- Beyond the range ----

kernel void test_limits(global uint *record, global int *in) {
    ASSERT(0x7e, e4m3_from_float(464 + in[0])); ASSERT(0x7f, e4m3_from_float(as_float(0x43e80001 + in[0])));
    ASSERT(0xff, e4m3_from_float(-1e30f + in[0])); ASSERT(0xfe, e4m3_from_float_sat(-1e30f + in[0]));
    ASSERT(0x7f, e4m3_from_float(as_float(0x7f800000 + in[0]))); ASSERT(0x7e, e4m3_from_float_sat(as_float(0x7f800000 + in[0])));
    ASSERT(0x7b, e5m2_from_float(as_float(0x476fffff + in[0]))); ASSERT(0x7c, e5m2_from_float(61440 + in[0]));
    ASSERT(0xfc, e5m2_from_float(as_float(0xff800000 + in[0]))); ASSERT(0xfb, e5m2_from_float_sat(as_float(0xff800000 + in[0])));
    ASSERT(0x7f, e4m3_from_float_sat(as_float(0x7fc00000 + in[0]))); ASSERT(0xff, e4m3_from_float(as_float(0xff800001 + in[0])));
    ASSERT(0x7e, e5m2_from_float_sat(as_float(0x7f800001 + in[0]))); ASSERT(0xff, e5m2_from_float(as_float(0xffe00000 + in[0])));
    ASSERT(0x7e, e4m3_from_float_rtz(479 + in[0])); ASSERT(0x7f, e4m3_from_float_rtz(480 + in[0]));
    ASSERT(0x7f, e4m3_from_float_rtp(449 + in[0])); ASSERT(0x7e, e4m3_from_float_rtn(449 + in[0]));
    // Denormals of a float are less than all.
    ASSERT(0, e4m3_from_float(as_float(1 + in[0]))); ASSERT(1, e4m3_from_float_rtp(as_float(1 + in[0])));
    ASSERT(0x80, e5m2_from_float_rtp(as_float(0x80000001 + in[0]))); ASSERT(0x81, e5m2_from_float_rtn(as_float(0x80000001 + in[0])));
    ASSERT(0x80, e5m2_from_float_rtn(as_float(0x80000000 + in[0]))); ASSERT(0, e5m2_from_float_rtp(in[0]));
    ASSERT(0x7f, e4m3_from_int(INT_MAX - in[0])); ASSERT(0xfc, e5m2_from_int(INT_MIN + in[0])); ASSERT(0x7c, e5m2_from_uint(UINT_MAX - in[0]));
    ASSERT(0xff, e4m3_from_long(LONG_MIN + in[0])); ASSERT(0x7b, e5m2_from_ulong_sat(ULONG_MAX - in[0])); ASSERT(0x7e, e4m3_from_ulong_sat(465));
}

// ---- Between the two ----

kernel void test_others(global uint *record) {
    const uchar bits = get_global_id(0);
    ASSERT(e4m3_from_float(e5m2_to_float(bits)), e4m3_from_other(bits));
    ASSERT(e5m2_from_float(e4m3_to_float(bits)), e5m2_from_other(bits));
}

// ---- Where values may be ----

kernel void test_where(global uint *record, global int *in, global int *out) {
    if (get_global_id(0) != 0) return;
    const uchar4 some = of_vector(convert_float4((int4)(in[1], in[2], in[3], in[4])) * -1.125f);
    ASSERT(0xbc, some.s0); ASSERT(0xc0, some.s1); ASSERT(0xc3, some.s2); ASSERT(0xc4, some.s3);
    const float4 wide = to_vector((uchar4)(0x38, 0x40, 0x44, 0x48) + (uchar)in[0]);
    ASSERT_BITS(as_uint(1.0f), wide.s0); ASSERT_BITS(as_uint(2.0f), wide.s1); ASSERT_BITS(as_uint(3.0f), wide.s2);
    const uchar4 numbers = (uchar4)(0x38, 0x40, 0x44, 0x48) + (uchar)in[0];
    ASSERT_BITS(as_uint(1.0f), parts(numbers, in[0])); ASSERT_BITS(as_uint(3.0f), parts(numbers, in[1]));
    ASSERT_BITS(as_uint(-3.0f), parts(numbers, in[2])); ASSERT_BITS(as_uint(1.0f), parts(numbers, in[3]));
    ASSERT_BITS(as_uint(-57344.0f), constant_of(in[0])); ASSERT_BITS(as_uint(1.5f), constant_of(in[1]));
    ASSERT_BITS(0, constant_of(in[2]));
    ASSERT_BITS(as_uint(1.0f), looped(in[0], 0x38)); ASSERT_BITS(as_uint(2.0f), looped(in[1], 0x38));
    ASSERT_BITS(as_uint(-6.0f), looped(in[2], 0x38)); ASSERT_BITS(as_uint(-12.0f), looped(in[3], 0x38));
    ASSERT_BITS(as_uint(2.0f), private_memory(in[2], in[0] + 0x40));
    out[0] = 7; out[1] = 0x3332313e; out[2] = 0x48444038;  // an int, 1.5, three in an array, four in a vector
    ASSERT_BITS(as_uint(3.0f), memory((global uchar *)out));
    ASSERT(0x333c313e, out[1]);
}
