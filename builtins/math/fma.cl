// SPDX-License-Identifier: Apache-2.0
// fma, rounded once, for devices that do not fuse (OpenCL C 6.13.2).
#include "float.h"
#include "parts.h"

// x shifted right with everything that falls off gathered in the last bit
static ulong shift_right_jam(ulong x, int n) {
    if (n <= 0) return x << -n;
    if (n > 63) return x != 0ul ? 1ul : 0ul;
    return (x >> n) | ((x & ((1ul << n) - 1ul)) != 0ul ? 1ul : 0ul);
}

float LIBRARY fma(float a, float b, float c) {
    if (is_zero(a) || is_zero(b)) return a * b + c;
    if (max(magnitude_bits(a), magnitude_bits(b)) >= INF_BITS) return a * b + c;
    if (magnitude_bits(c) >= INF_BITS) return c;
    // Both terms in 62 bits, in units of 2^unit: the larger one exact, the other with its tail jammed.
    ulong product = ((ulong)significand_of(a) * (ulong)significand_of(b)) << 14;
    bool only_product = is_zero(c);
    ulong addend = only_product ? 0ul : (ulong)significand_of(c) << 37;
    int product_unit = exponent_of(a) + exponent_of(b) - 14;
    int addend_unit = only_product ? product_unit : exponent_of(c) - 37;
    int unit = max(product_unit, addend_unit);
    product = shift_right_jam(product, unit - product_unit);
    addend = shift_right_jam(addend, unit - addend_unit);
    bool product_negative = is_negative(a) != is_negative(b), addend_negative = is_negative(c);
    ulong sum;
    bool negative = product_negative;
    if (product_negative == addend_negative) {
        sum = product + addend;
    } else if (product >= addend) {
        sum = product - addend;
    } else {
        sum = addend - product;
        negative = addend_negative;
    }
    if (sum == 0ul) return 0.0f;
    // 26 bits and the jammed rest: enough for one rounding at any exponent of the result.
    int zeros = (int)clz(sum);
    ulong top = shift_right_jam(sum << zeros, 64 - 26);
    int exponent = unit - zeros + (64 - 26);
    int keep = exponent + 26 + 125 < 0 ? 26 + (exponent + 26 + 125) - 2 : 24;  // bits that the result has
    if (keep < 0) return as_float(negative ? SIGN_BIT : 0u);
    int drop = 26 - keep;
    ulong kept = top >> drop, rest = top & ((1ul << drop) - 1ul), half_unit = 1ul << (drop - 1);
    if (rest > half_unit || (rest == half_unit && (kept & 1ul) != 0ul)) kept += 1ul;
    return join((uint)kept, exponent + drop, negative);
}
