// SPDX-License-Identifier: Apache-2.0
#include "format.h"

// ---- Integers ----

ulong LIBRARY double_from_uint(uint x) {
    int zeros = (int)clz(x);
    ulong size = ((ulong)(EXPONENT_BIAS + 30 - zeros) << FRACTION_BITS) + ((ulong)(x << (zeros & 31)) << 21);
    return x == 0 ? 0ul : size;
}
ulong LIBRARY double_from_int(int x) { return (x < 0 ? SIGN_BIT : 0ul) | double_from_uint(abs(x)); }

ulong LIBRARY double_from_ulong(ulong x) {
    int zeros = (int)clz(x);
    ulong size = join_in_range(0ul, EXPONENT_BIAS + 63 - zeros, x << (zeros & 63));
    return x == 0 ? 0ul : size;
}
ulong LIBRARY double_from_long(long x) { return (x < 0 ? SIGN_BIT : 0ul) | double_from_ulong(abs(x)); }

// Toward zero. Numbers from 2^63 to 2^64 have the bits of a ulong.
ulong LIBRARY double_to_long(ulong x) {
    int exponent = EXPONENT(SIZE(x)) - EXPONENT_BIAS;
    ulong significand = (x & FRACTION_MASK) << 11 | SIGN_BIT;
    ulong size = exponent < 0 ? 0ul : significand >> ((63 - exponent) & 63);
    return SIGN(x) != 0 ? -size : size;
}

// ---- float ----

ulong LIBRARY double_from_float(float x) {
    uint bits = as_uint(x), size = bits & 0x7fffffffu;
    int zeros = (int)clz(size);
    ulong normal = ((ulong)size << 29) + ((ulong)(EXPONENT_BIAS - 127) << FRACTION_BITS);
    ulong denormal =
        ((ulong)(EXPONENT_BIAS - 119 - zeros) << FRACTION_BITS) + ((ulong)(size << (zeros & 31)) << 21);
    ulong small = size == 0 ? 0ul : denormal;
    ulong special = (ulong)size << 29 | (size > 0x7f800000u ? NAN_BITS : INF_BITS);
    ulong result = size < 0x00800000u ? small : size < 0x7f800000u ? normal : special;
    return (ulong)(bits & 0x80000000u) << 32 | result;
}

float LIBRARY double_to_float(ulong x) {
    ulong size = SIZE(x);
    uint sign = UPPER_WORD(x) & 0x80000000u;
    int exponent = EXPONENT(size) - (EXPONENT_BIAS - 127);
    // The leading bit goes to bit 31, and for a denormal float below it.
    ulong significand = (size & FRACTION_MASK) | HIDDEN_BIT;
    uint bits = (uint)shift_right_jam(significand, 21 + clamp(1 - exponent, 0, 31));
    uint kept = bits >> 8, lost = bits & 0xffu;
    uint rounded = ((uint)max(exponent - 1, 0) << 23) + kept + (uint)(lost + (kept & 1u) > 0x80u);
    uint result = exponent >= 255 ? 0x7f800000u : rounded;
    result = size > INF_BITS ? 0x7fc00000u | ((uint)(size >> 29) & 0x3fffffu) : result;
    return as_float(sign | result);
}
