// SPDX-License-Identifier: Apache-2.0
// fma of doubles, rounded once, for devices that do not fuse (OpenCL C 6.13.2). 128-bit integers are pairs of words,
// .x the high one.
#include "double.h"
#include "parts.h"

static ulong2 shift_left(ulong2 x, int n) {
    if (n == 0) return x;
    if (n >= 64) return (ulong2)(x.y << (n - 64), 0ul);
    return (ulong2)((x.x << n) | (x.y >> (64 - n)), x.y << n);
}

// x shifted right with everything that falls off gathered in the last bit
static ulong2 shift_right_jam(ulong2 x, int n) {
    if (n == 0) return x;
    if (n > 127) return (ulong2)(0ul, (x.x | x.y) != 0ul ? 1ul : 0ul);
    ulong2 lost = shift_left(x, 128 - n);
    ulong2 r = n >= 64 ? (ulong2)(0ul, n == 64 ? x.x : x.x >> (n - 64))
                       : (ulong2)(x.x >> n, (x.y >> n) | (x.x << (64 - n)));
    r.y |= (lost.x | lost.y) != 0ul ? 1ul : 0ul;
    return r;
}

static ulong2 add(ulong2 a, ulong2 b) {
    ulong low = a.y + b.y;
    return (ulong2)(a.x + b.x + (low < a.y ? 1ul : 0ul), low);
}
static ulong2 subtract(ulong2 a, ulong2 b) {
    return (ulong2)(a.x - b.x - (a.y < b.y ? 1ul : 0ul), a.y - b.y);
}
static bool less(ulong2 a, ulong2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// significand * 2^exponent rounded to nearest even; the significand's top bit is set, its last one stands for a tail
static double round_to_double(ulong significand, int exponent, bool negative) {
    ulong sign = negative ? SIGN_BIT : 0ul;
    int biased = exponent + 63 + EXPONENT_BIAS;
    if (biased > 2 * EXPONENT_BIAS) return as_double(sign | INF_BITS);
    int drop = biased >= 1 ? 11 : 12 - biased;
    if (drop > 64) return as_double(sign);
    ulong kept = drop == 64 ? 0ul : significand >> drop;
    ulong rest = drop == 64 ? significand : significand & ((1ul << drop) - 1ul);
    ulong half_unit = 1ul << (drop - 1);
    if (rest > half_unit || (rest == half_unit && (kept & 1ul) != 0ul)) kept += 1ul;
    ulong below = biased >= 1 ? (ulong)(biased - 1) << FRACTION_BITS : 0ul;
    return as_double(sign | (below + kept));
}

double LIBRARY fma(double a, double b, double c) {
    if (is_zero(a) || is_zero(b)) return a * b + c;
    if (max(magnitude_bits(a), magnitude_bits(b)) >= INF_BITS) return a * b + c;
    if (magnitude_bits(c) >= INF_BITS) return c;
    // Both terms below 2^125, in units of 2^unit: the larger one exact, the other with its tail jammed.
    ulong x = significand_of(a), y = significand_of(b);
    ulong2 product = shift_left((ulong2)(mul_hi(x, y), x * y), 19);
    bool only_product = is_zero(c);
    ulong2 addend = only_product ? (ulong2)(0ul) : shift_left((ulong2)(0ul, significand_of(c)), 72);
    int product_unit = exponent_of(a) + exponent_of(b) - 19;
    int addend_unit = only_product ? product_unit : exponent_of(c) - 72;
    int unit = max(product_unit, addend_unit);
    product = shift_right_jam(product, unit - product_unit);
    addend = shift_right_jam(addend, unit - addend_unit);
    bool negative = is_negative(a) != is_negative(b);
    ulong2 sum;
    if (negative == is_negative(c)) {
        sum = add(product, addend);
    } else if (less(product, addend)) {
        sum = subtract(addend, product);
        negative = is_negative(c);
    } else {
        sum = subtract(product, addend);
    }
    if ((sum.x | sum.y) == 0ul) return 0.0;
    int zeros = sum.x != 0ul ? (int)clz(sum.x) : 64 + (int)clz(sum.y);
    sum = shift_left(sum, zeros);
    return round_to_double(sum.x | (sum.y != 0ul ? 1ul : 0ul), unit - zeros + 64, negative);
}
