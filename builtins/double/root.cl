// SPDX-License-Identifier: Apache-2.0
#include "format.h"

ulong LIBRARY double_sqrt(ulong a) {
    Number x = number_of(SIZE(a));
    int exponent = x.exponent - EXPONENT_BIAS;
    // s 2^62 for s from 1 to 4: what is taken from the exponent is even.
    ulong s = x.significand >> (~exponent & 1);
    // 2^32 / sqrt(s), too small by 2^-20: by 2 ulp of the float, and by bits of s that it does not see
    uint guess = (uint)(rsqrt((float)(uint)(s >> 40)) * 0x1.ffffep42f);
    // With h = 1 - s guess^2, which is not rounded up, the root is s guess / sqrt(1 - h), that is
    // s guess (1 + h / 2 + 3 h^2 / 8 + ...).
    ulong h = (SIGN_BIT >> 1) - 1 - mul_hi(s, (ulong)guess * guess), upper = h >> 12;
    ulong more = (h << 1) + ((upper * upper >> 36) * 3 >> 3);
    ulong root = (ulong)UPPER_WORD(s) * guess + ((ulong)(uint)s * guess >> 32);
    root += mul_hi(root, more);
    // 55 bits of it. They may be too small by 1: the remainder, below 2^57, says so.
    root >>= 8;
    ulong rest = (s << 46) - root * root;
    bool is_less = rest > root << 1;
    rest -= is_less ? (root << 1) + 1 : 0ul;
    root += (ulong)is_less;
    ulong result = join_in_range(0ul, (exponent >> 1) + EXPONENT_BIAS, root << 9 | (ulong)(rest != 0));
    // Zeros, infinity and NaN stay.
    bool stays = SIZE(a) == 0 || (SIGN(a) == 0 && SIZE(a) >= INF_BITS);
    result = stays ? a : SIGN(a) != 0 ? NAN_BITS : result;
    return IS_NAN(a) ? a | NAN_BITS : result;
}
