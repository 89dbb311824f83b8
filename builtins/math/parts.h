// SPDX-License-Identifier: Apache-2.0
// Numbers taken apart into integers and put together again, denormals included. Comes after float.h or double.h.
#pragma once

// |x| = significand * 2^exponent with the significand's leading bit in its place, for finite x != 0
static bits significand_of(real x) {
    bits b = magnitude_bits(x);
    if (b >= HIDDEN_BIT) return (b & FRACTION_MASK) | HIDDEN_BIT;
    return b << ((int)clz(b) - (WORD_BITS - 1 - FRACTION_BITS));
}
static int exponent_of(real x) {
    bits b = magnitude_bits(x);
    int lowest = 1 - EXPONENT_BIAS - FRACTION_BITS;
    if (b >= HIDDEN_BIT) return (int)(b >> FRACTION_BITS) - 1 + lowest;
    return lowest - ((int)clz(b) - (WORD_BITS - 1 - FRACTION_BITS));
}

// m * 2^e rounded to nearest even; m has at most one bit more than a significand
static real join(bits m, int e, bool negative) {
    bits sign = negative ? SIGN_BIT : 0;
    if (m == 0) return AS_REAL(sign);
    int s = (int)clz(m) - (WORD_BITS - 1 - FRACTION_BITS);
    bits significand = s >= 0 ? m << s : m >> 1;
    bits lost = s >= 0 ? 0 : m & 1;
    int exponent = e - s + EXPONENT_BIAS + FRACTION_BITS;
    if (exponent >= 2 * EXPONENT_BIAS + 1) return AS_REAL(sign | INF_BITS);
    if (exponent >= 1) {
        bits b = ((bits)exponent << FRACTION_BITS) + (significand & FRACTION_MASK);
        return AS_REAL(sign | (b + (lost & b)));
    }
    int drop = 1 - exponent;
    if (drop > FRACTION_BITS + 2) return AS_REAL(sign);
    bits b = significand >> drop;
    bits rest = significand & (((bits)1 << drop) - 1), half_unit = (bits)1 << (drop - 1);
    bool up = rest > half_unit || (rest == half_unit && (lost != 0 || (b & 1) != 0));
    return AS_REAL(sign | (b + (up ? 1 : 0)));
}
