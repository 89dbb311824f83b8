// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits from and to half: float8_half.spvasm has the functions. A device may lose a half's denormals when it
// converts, and E5M2 has some of them.
// NEEDS: half
// RUN: global=256 local=64
#include "assert.h"
#include "modules/float8.h"

uchar e4m3_from_half(ushort x);
uchar e4m3_from_float(float x);
ushort e4m3_to_half(uchar x);
uchar e5m2_from_half(ushort x);
ushort e5m2_to_half(uchar x);

// A half has all values of both.
ushort half_of(Format f, uchar bits) {
    const uint magnitude = bits & 127, exponent = magnitude >> f.fraction;
    ushort half_bits = 0;
    if (is_nan(f, bits))
        half_bits = 0x7e00;
    else if (magnitude >= f.largest + 1)
        half_bits = 0x7c00;
    else if (f.fraction == 2)
        half_bits = magnitude << 8;
    else if (exponent != 0)
        half_bits = (magnitude << 7) + (8 << 10);
    else if (magnitude != 0)
        half_bits = ((31 - clz(magnitude) - 9 + 15) << 10) | ((magnitude << (10 - (31 - clz(magnitude)))) & 1023);
    return half_bits | (bits & 128) << 8;
}

#define VALUES(e, format)                                                                           \
    kernel void test_values_##e(global uint *record) {                                              \
        const uchar bits = get_global_id(0);                                                        \
        if (is_nan(format, bits)) {                                                                 \
            ASSERT(1, (e##_to_half(bits) & 0x7fff) > 0x7c00);                                       \
            ASSERT(1, is_nan(format, e##_from_half(e##_to_half(bits))));                            \
        } else {                                                                                    \
            ASSERT(half_of(format, bits), e##_to_half(bits));                                       \
            ASSERT(bits, e##_from_half(half_of(format, bits)));                                     \
        }                                                                                           \
    }
VALUES(e4m3, kE4M3)
VALUES(e5m2, kE5M2)

// ---- Each half: the upper half of its bits, rounded, is E5M2 ----

kernel void test_halves(global uint *record) {
    for (int i = 0; i < 256; i++) {
        const ushort bits = get_global_id(0) << 8 | i, magnitude = bits & 0x7fff;
        if (magnitude > 0x7c00) {
            ASSERT(1, is_nan(kE5M2, e5m2_from_half(bits))); ASSERT(1, is_nan(kE4M3, e4m3_from_half(bits)));
            continue;
        }
        const uchar sign = bits >> 8 & 128;
        ASSERT(sign | (magnitude + 0x7f + (magnitude >> 8 & 1)) >> 8, e5m2_from_half(bits));
        // A half's denormals are less than half of the least E4M3.
        const float value = magnitude < 0x400 ? 0.0f : as_float((uint)magnitude * 8192 + (112 << 23));
        const uchar rounded = magnitude == 0x7c00 ? 0x7f : e4m3_from_float(value);
        ASSERT(sign | rounded, e4m3_from_half(bits));
    }
}
