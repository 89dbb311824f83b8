// SPDX-License-Identifier: Apache-2.0
#include "format.h"

ulong LIBRARY double_mul(ulong a, ulong b) {
    ulong sign = SIGN(a ^ b), larger = max(SIZE(a), SIZE(b)), smaller = min(SIZE(a), SIZE(b));
    Number x = number_of(SIZE(a)), y = number_of(SIZE(b));
    ulong product = mul_hi(x.significand, y.significand);
    product |= (ulong)(x.significand * y.significand != 0);
    int zeros = product < SIGN_BIT ? 1 : 0;
    ulong result = join(sign, x.exponent + y.exponent - (EXPONENT_BIAS - 1) - zeros, product << zeros);
    result = smaller == 0 ? sign : result;
    ulong special = larger > INF_BITS || smaller == 0 ? NAN_BITS : sign | INF_BITS;
    return larger >= INF_BITS ? special : result;
}
