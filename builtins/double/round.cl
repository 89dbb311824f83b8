// SPDX-License-Identifier: Apache-2.0
// To whole numbers.
#include "format.h"

#define ONE_BITS ((ulong)EXPONENT_BIAS << FRACTION_BITS)
#define IS_BELOW_ONE(x) (SIZE(x) < ONE_BITS)

// Those bits of the fraction that are below 1, for |x| from 1 on. From 2^52 on, and in infinities and NaN, there are
// none.
static ulong below_one(ulong x) {
    int exponent = EXPONENT(SIZE(x)) - EXPONENT_BIAS;
    return exponent >= FRACTION_BITS ? 0ul : FRACTION_MASK >> (exponent & 63);
}

ulong LIBRARY double_trunc(ulong x) {
    ulong whole = x & ~below_one(x);
    return IS_BELOW_ONE(x) ? SIGN(x) : whole;
}

// Negative numbers go away from zero, where their magnitude is not whole.
ulong LIBRARY double_floor(ulong x) {
    ulong mask = below_one(x), whole = (x + (SIGN(x) != 0 ? mask : 0ul)) & ~mask;
    ulong small = x > SIGN_BIT ? SIGN_BIT | ONE_BITS : SIGN(x);
    return IS_BELOW_ONE(x) ? small : whole;
}

// To the nearest, halves to even. A half of the last place is added, less a bit for even numbers; the bit of
// the ones is the exponent's last where 1 <= |x| < 2.
ulong LIBRARY double_rint(ulong x) {
    ulong mask = below_one(x), half_unit = (mask >> 1) + 1, is_odd = (ulong)((x & (mask + 1)) != 0);
    ulong whole = mask == 0 ? x : (x + half_unit - 1 + is_odd) & ~mask;
    ulong small = SIGN(x) | (SIZE(x) > ONE_BITS - HIDDEN_BIT ? ONE_BITS : 0ul);
    return IS_BELOW_ONE(x) ? small : whole;
}
