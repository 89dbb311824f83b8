// SPDX-License-Identifier: Apache-2.0
#include "format.h"

// x * y / 2^32
static ulong times_fraction(ulong x, uint y) {
    return (ulong)UPPER_WORD(x) * y + ((ulong)(uint)x * y >> 32);
}

// At most 2^127 / y, and less than 2^-61 of it below, for y from 2^63. Two steps of Newton's follow a quotient
// of floats, whose relative error is at most 2.5 * 2^-23 by itself, and 2^-23 from the bits of y that it does
// not see. The factor subtracts 8 * 2^-23, so that each guess is too small. `missing` is what the guess times y
// lacks to 1.
static ulong inverse(ulong y) {
    uint guess = (uint)(0x1.ffffep54f / (float)(uint)(y >> 40));
    ulong missing = SIGN_BIT - times_fraction(y, guess);
    ulong r = ((ulong)guess << 32) + ((ulong)guess * (uint)(missing >> 12) >> 19);
    missing = ~SIGN_BIT - mul_hi(y, r);
    return r + ((ulong)UPPER_WORD(r) * (uint)missing >> 31);
}

ulong LIBRARY double_div(ulong a, ulong b) {
    ulong sign = SIGN(a ^ b), dividend = SIZE(a), divisor = SIZE(b);
    Number x = number_of(dividend), y = number_of(divisor);
    // 55 or 56 bits of the quotient. They may be too small by 1: the remainder, below 2^54, says so.
    ulong quotient = mul_hi(x.significand, inverse(y.significand)) >> 8, unit = y.significand >> 11;
    ulong rest = (x.significand << 44) - quotient * unit;
    bool is_less = rest >= unit;
    quotient += (ulong)is_less;
    rest -= is_less ? unit : 0ul;
    ulong significand = quotient << 8 | (ulong)(rest != 0);
    int zeros = significand < SIGN_BIT ? 1 : 0;
    ulong result = join(sign, x.exponent - y.exponent + EXPONENT_BIAS - zeros, significand << zeros);
    bool is_zero = dividend == 0 || divisor == INF_BITS, is_inf = divisor == 0 || dividend == INF_BITS;
    result = is_zero ? sign : is_inf ? sign | INF_BITS : result;
    bool is_invalid = max(dividend, divisor) > INF_BITS || (is_zero && is_inf);
    return is_invalid ? NAN_BITS : result;
}
