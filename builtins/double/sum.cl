// SPDX-License-Identifier: Apache-2.0
#include "format.h"

// The significands have their leading bits in bit 62, so that sums fit and differences have bits to round.
static ulong significand_of(ulong x) {
    return (x & FRACTION_MASK) << 10 | (EXPONENT(SIZE(x)) == 0 ? 0ul : HIDDEN_BIT << 10);
}

ulong LIBRARY double_add(ulong a, ulong b) {
    bool swapped = SIZE(a) < SIZE(b);
    ulong large = swapped ? b : a, small = swapped ? a : b;
    int exponent = max(EXPONENT(SIZE(large)), 1), other = max(EXPONENT(SIZE(small)), 1);
    ulong x = significand_of(large), y = shift_right_jam(significand_of(small), exponent - other);
    bool differ = SIGN(large ^ small) != 0;
    ulong sum = differ ? x - y : x + y;
    int zeros = (int)clz(sum);
    ulong result = join(SIGN(large), exponent + 1 - zeros, sum << (zeros & 63));
    result = sum == 0 ? large & small & SIGN_BIT : result;
    // NaN is the largest of all.
    bool is_invalid = differ && SIZE(small) == INF_BITS;
    ulong special = IS_NAN(large) || is_invalid ? large | NAN_BITS : large;
    return SIZE(large) >= INF_BITS ? special : result;
}
