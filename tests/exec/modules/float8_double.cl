// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits from and to double: float8_double.spvasm has the functions. A double that is nearly a midpoint rounds
// as it is, and not as the float next to it.
// RUN: global=256 local=64
#include "assert.h"
#ifdef cl_khr_fp64
#include "modules/float8.h"

uchar e4m3_from_double(double x);
uchar e4m3_from_double_rtp(double x);
double e4m3_to_double(uchar x);
uchar e5m2_from_double(double x);
uchar e5m2_from_double_rtp(double x);
double e5m2_to_double(uchar x);

#define DOUBLES(e, format)                                                                              \
    kernel void test_##e(global uint *record) {                                                         \
        const uchar bits = get_global_id(0), sign = bits & 128;                                         \
        const uint below = bits & 127;                                                                  \
        if (is_nan(format, bits)) {                                                                     \
            ASSERT(1, isnan(e##_to_double(bits))); ASSERT(1, is_nan(format, e##_from_double(e##_to_double(bits)))); \
        } else {                                                                                        \
            ASSERT_LONG(as_long((double)value_of(format, bits)), as_long(e##_to_double(bits)));         \
            ASSERT(bits, e##_from_double(e##_to_double(bits)));                                         \
            ASSERT(bits, e##_from_double_rtp(e##_to_double(bits)));                                     \
        }                                                                                               \
        if (below > format.largest) return;                                                             \
        const uchar high = bits + 1, even = bits & 1 ? high : bits;                                     \
        const double middle = ((double)value_of(format, below) + next_value(format, below)) / 2;        \
        const double x = sign ? -middle : middle;                                                       \
        ASSERT(even, e##_from_double(x)); ASSERT(bits, e##_from_double(as_double(as_long(x) - 1)));     \
        ASSERT(high, e##_from_double(as_double(as_long(x) + 1)));                                       \
        const double above = as_double(as_long((double)value_of(format, bits)) + 1);                    \
        ASSERT(sign ? bits : high, e##_from_double_rtp(above));                                         \
    }
DOUBLES(e4m3, kE4M3)
DOUBLES(e5m2, kE5M2)

kernel void test_limits(global uint *record, global int *in) {
    ASSERT(0x7f, e4m3_from_double(1e300 + in[0])); ASSERT(0xfc, e5m2_from_double(-1e39 + in[0]));
    ASSERT(0x7f, e4m3_from_double(as_double(0x7ff0000000000000 + in[0]))); ASSERT(0x7c, e5m2_from_double(as_double(0x7ff0000000000000 + in[0])));
    ASSERT(1, is_nan(kE4M3, e4m3_from_double(as_double(0x7ff0000000000001 + in[0])))); ASSERT(1, is_nan(kE5M2, e5m2_from_double(as_double(0xfff0000000000001 + in[0]))));
    ASSERT(0, e4m3_from_double(1e-300 + in[0])); ASSERT(1, e4m3_from_double_rtp(as_double(in[0] + 1L))); ASSERT(0x80, e5m2_from_double_rtp(-1e-60 + in[0]));
    ASSERT(0x80, e5m2_from_double_rtp(as_double(0x8000000000000000 + in[0]))); ASSERT(0, e5m2_from_double(in[0]));
}
#endif
