// SPDX-License-Identifier: Apache-2.0
#include "format.h"

// 128 bits
typedef struct {
    ulong high, low;
} Wide;

static Wide wide_shift_right_jam(Wide x, int n) {
    bool is_far = n >= 64;
    ulong high = is_far ? 0ul : x.high, low = is_far ? x.high : x.low, lost = is_far ? x.low : 0ul;
    uint by = min((uint)(is_far ? n - 64 : n), 63u);  // unsigned as in shift_right_jam()
    lost |= low << 1 << (63 - by);
    Wide r;
    r.high = high >> by;
    r.low = low >> by | high << 1 << (63 - by) | (ulong)(lost != 0);
    return r;
}

ulong LIBRARY double_fma(ulong a, ulong b, ulong c) {
    ulong sign = SIGN(a ^ b), larger = max(SIZE(a), SIZE(b)), smaller = min(SIZE(a), SIZE(b));
    Number x = number_of(SIZE(a)), y = number_of(SIZE(b)), z = number_of(SIZE(c));
    // The leading bit of the product is bit 126 or 125, that of c bit 126. Significands of zeros are zero.
    Wide product, addend;
    product.high = mul_hi(x.significand >> 1, y.significand);
    product.low = (x.significand >> 1) * y.significand;
    addend.high = z.significand >> 1;
    addend.low = 0;
    int exponent = x.exponent + y.exponent - (EXPONENT_BIAS - 1);
    int other = SIZE(c) == 0 ? exponent : z.exponent;
    exponent = smaller == 0 ? other : exponent;

    bool swapped = exponent < other;
    Wide large = swapped ? addend : product;
    Wide small = wide_shift_right_jam(swapped ? product : addend, abs(exponent - other));
    bool differ = sign != SIGN(c);
    ulong low = differ ? large.low - small.low : large.low + small.low;
    ulong carry = (ulong)(differ ? large.low < small.low : low < large.low);
    ulong high = differ ? large.high - small.high - carry : large.high + small.high + carry;
    bool is_negative = differ && (long)high < 0;
    low = is_negative ? -low : low;
    high = is_negative ? ~high + (ulong)(low == 0) : high;

    bool is_low = high == 0;
    ulong upper = is_low ? low : high, lower = is_low ? 0ul : low;
    int zeros = (int)clz(upper) & 63;
    ulong significand = upper << zeros | lower >> 1 >> (63 - zeros) | (ulong)(lower << zeros != 0);
    ulong sign_of_large = swapped ? SIGN(c) : sign;
    ulong result = join(sign_of_large ^ (is_negative ? SIGN_BIT : 0ul),
                        max(exponent, other) + 1 - zeros - (is_low ? 64 : 0), significand);
    result = (high | low) == 0 ? sign & c : result;

    bool is_inf = larger == INF_BITS;
    bool is_invalid = larger > INF_BITS || IS_NAN(c) || (is_inf && smaller == 0) ||
                      (is_inf && differ && SIZE(c) == INF_BITS);
    result = SIZE(c) == INF_BITS ? c : result;
    result = is_inf ? sign | INF_BITS : result;
    return is_invalid ? NAN_BITS : result;
}
