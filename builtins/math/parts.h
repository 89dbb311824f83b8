// SPDX-License-Identifier: Apache-2.0
// Floats taken apart into integers and put together again, denormals included.
#pragma once
#include "float.h"

// |x| = .x * 2^.y with .x in [2^23, 2^24), for finite x != 0
static int2 split_float(float x) {
    uint b = magnitude_bits(x);
    int e = (int)(b >> 23);
    if (e != 0) return (int2)((int)((b & 0x007fffffu) | 0x00800000u), e - 150);
    int s = (int)clz(b) - 8;
    return (int2)((int)(b << s), -149 - s);
}

// m * 2^e rounded to nearest even; m < 2^25
static float join_float(uint m, int e, bool negative) {
    uint sign = negative ? SIGN_BIT : 0u;
    if (m == 0u) return as_float(sign);
    int s = (int)clz(m) - 8;
    uint significand = s >= 0 ? m << s : m >> -s;
    uint lost = s >= 0 ? 0u : m & 1u;
    int exponent = e - s + 150;
    if (exponent >= 255) return as_float(sign | INF_BITS);
    if (exponent >= 1) {
        uint bits = ((uint)exponent << 23) + (significand & 0x007fffffu);
        return as_float(sign | (bits + (lost & bits)));
    }
    int drop = 1 - exponent;
    if (drop > 25) return as_float(sign);
    uint bits = significand >> drop;
    uint rest = significand & ((1u << drop) - 1u), half_unit = 1u << (drop - 1);
    bool up = rest > half_unit || (rest == half_unit && (lost != 0u || (bits & 1u) != 0u));
    return as_float(sign | (bits + (up ? 1u : 0u)));
}
