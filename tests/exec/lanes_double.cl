// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, emulate-doubles
// Functions of doubles that compilers have instructions for, of another number in each work-item, against their bits computed in
// integers: llvmpipe works on eight doubles at a time, and without an instruction for so many it once did so as if they were floats.
// NEEDS: double
// OPTIONS: -cl-std=CL1.2
// RUN: global=128 local=64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "assert.h"

#define SIGN 0x8000000000000000ul
#define FRACTION 0x000ffffffffffffful
#define ONE 0x3ff0000000000000ul

// Halves and what is beside them, where floats, ints, longs and fractions end, the largest, infinity, NaN, the least (denormals are in
// denormal_arithmetic_double.cl)
constant double numbers[64] = {
    0.0, 0.25, 0x1.fffffffffffffp-2, 0.5, 0x1.0000000000001p-1, 0x1.fffffffffffffp-1, 1.0, 0x1.0000000000001p0,
    1.25, 1.5, 0x1.fffffffffffffp0, 2.0, 2.5, 0x1.4000000000001p1, 3.5, 4.5,
    0x1.8p22, 0x1.000001p22, 0x1.0000008p23, 0x1.0000018p23, 0x1p24, 0x1.0000008p24, 0x1.000001p24, 0x1.0000018p24,
    0x1.fffffffcp29, 0x1.fffffffep30, 0x1p31, 0x1.00000001p31, 0x1.fffffffep31, 0x1.ffffffffp31, 0x1p32, 0x1.000000008p32,
    0x1.fffffffffffffp50, 0x1.ffffffffffffep51, 0x1.fffffffffffffp51, 0x1p52, 0x1.0000000000001p52, 0x1.fffffffffffffp52, 0x1p53, 0x1.8p53,
    0x1p62, 0x1.fffffffffffffp62, 0x1p63, 0x1.fffffffffffffp63, 0x1p64, 0x1.fffffep127, 0x1p128, 0x1p1000,
    0x1.fffffffffffffp1023, INFINITY, NAN, 0x1p-1022, 0x1p-1021, 0x1.fffffffffffffp-1022, 0x1p-149, 0x1p-126,
    0x1p-30, 0.1, 0.3, 1.0e10, 1.0e16, 123456789.5, 9876543210.5, 0x1.5555555555555p40};

// The numbers of the work-items are different, and half are below zero.
double number(uint i) { return i & 64 ? -numbers[i & 63] : numbers[i & 63]; }
#define START                                                     \
    const uint l = get_global_id(0);                              \
    const double x = number(l);                                   \
    const ulong b = as_ulong(x), below = b & SIGN, size = b ^ below; \
    uint wrong = 0;
#define CHECK(i, condition) wrong |= (uint)!(condition) << (i);

bool same(ulong expected, double actual) {
    return (expected & ~SIGN) > 0x7ff0000000000000ul ? (as_ulong(actual) & ~SIGN) > 0x7ff0000000000000ul
                                                     : as_ulong(actual) == expected;
}

// The bits of a fraction's value, which are lost; those that are worth one
ulong lost(ulong size) {
    const int exponent = (int)(size >> 52) - 1023;
    return exponent < 0 ? ~0ul : exponent < 52 ? FRACTION >> exponent : 0;
}
ulong unit(ulong size) { return lost(size) + 1; }
ulong towards_zero(ulong size) { return size & ~lost(size); }
ulong from_zero(ulong size) {
    if (size == 0 || (size & lost(size)) == 0) return size;
    return size < ONE ? ONE : towards_zero(size) + unit(size);
}
ulong nearest(ulong size, bool to_even) {
    const ulong one_half = 0x3fe0000000000000ul;
    if (size < ONE) return size > one_half || (size == one_half && !to_even) ? ONE : 0;
    const ulong rest = size & lost(size), middle = unit(size) >> 1;
    if (rest == 0) return size;
    const bool is_up = rest > middle || (rest == middle && (!to_even || (size & unit(size)) != 0));
    return towards_zero(size) + (is_up ? unit(size) : 0);
}

kernel void test_rounding(global uint *record) {
    START
    const ulong down = below ? from_zero(size) : towards_zero(size);
    CHECK(0, same(below | towards_zero(size), trunc(x)))
    CHECK(1, same(below | down, floor(x)))
    CHECK(2, same(below | (below ? towards_zero(size) : from_zero(size)), ceil(x)))
    CHECK(3, same(below | nearest(size, true), rint(x)))
    CHECK(4, same(below | nearest(size, false), round(x)))
    ASSERT(0, wrong);
}

kernel void test_fractions(global uint *record) {
    START
    double whole, also_whole;
    const double part = fract(x, &whole), rest = modf(x, &also_whole);
    const double floored = as_double(below | (below ? from_zero(size) : towards_zero(size)));
    const double truncated = as_double(below | towards_zero(size));
    const bool is_infinite = isinf(x);
    CHECK(0, same(as_ulong(floored), whole))
    CHECK(1, same(as_ulong(truncated), also_whole))
    CHECK(2, isnan(x) ? isnan(part) : is_infinite ? part == 0 : part >= 0 && part < 1)
    CHECK(3, isnan(x) || is_infinite || part == x - floored || part == 0x1.fffffffffffffp-1)
    CHECK(4, isnan(x) ? isnan(rest) : rest == (is_infinite ? 0 : x - truncated) && (as_ulong(rest) & SIGN) == below)
    ASSERT(0, wrong);
}

// In the order of numbers, zeros beside each other
long place(double x) { return as_ulong(x) & SIGN ? -(long)(as_ulong(x) & ~SIGN) : as_long(x); }

kernel void test_order(global uint *record) {
    START
    for (uint j = 0; j < 128; j += 5) {
        const double y = number(l + j & 127);
        const double less = isnan(x) ? y : isnan(y) || place(x) <= place(y) ? x : y;
        const double more = isnan(x) ? y : isnan(y) || place(x) >= place(y) ? x : y;
        const bool is_ordered = !isnan(x) && !isnan(y);
        CHECK(0, isnan(less) ? isnan(fmin(x, y)) : fmin(x, y) == less && fmin(y, x) == less)
        CHECK(1, isnan(more) ? isnan(fmax(x, y)) : fmax(x, y) == more && fmax(y, x) == more)
        CHECK(2, !is_ordered || (min(x, y) == less && max(x, y) == more))
        CHECK(3, !is_ordered || clamp(number(l + 3 * j & 127), less, more) >= less || isnan(number(l + 3 * j & 127)))
        CHECK(4, (x < y) == (is_ordered && place(x) < place(y)) && (x <= y) == (is_ordered && place(x) <= place(y)))
        CHECK(5, (x == y) == (is_ordered && place(x) == place(y)) && (x != y) != (x == y))
        CHECK(6, (x > y) == (y < x) && (x >= y) == (y <= x))
        CHECK(7, !is_ordered || step(x, y) == (place(y) < place(x) ? 0.0 : 1.0))
        CHECK(8, same(isnan(x) ? b : size | (as_ulong(y) & SIGN), copysign(x, y)))
    }
    CHECK(9, same(size, fabs(x)))
    CHECK(10, same(size > 0x7ff0000000000000ul ? 0 : size == 0 ? b : below | ONE, sign(x)))
    CHECK(11, isnan(x) == (size > 0x7ff0000000000000ul) && isinf(x) == (size == 0x7ff0000000000000ul))
    CHECK(12, same(b ^ SIGN, -x))
    ASSERT(0, wrong);
}

// By long division, a bit at a time
ulong remainder_of(ulong size, ulong divisor) {
    if (size < divisor) return size;
    ulong rest = (size & FRACTION) | (ulong)(size > FRACTION) << 52;
    ulong by = (divisor & FRACTION) | (ulong)(divisor > FRACTION) << 52;
    const int shift = (int)clz(by) - 11;
    by <<= shift;
    int exponent = max((int)(divisor >> 52), 1) - shift;
    for (int i = max((int)(size >> 52), 1); i > exponent; --i) rest = (rest >= by ? rest - by : rest) << 1;
    if (rest >= by) rest -= by;
    for (; rest != 0 && rest <= FRACTION && exponent > 1; --exponent) rest <<= 1;
    if (exponent < 1) rest >>= 1 - exponent;
    return rest <= FRACTION ? rest : (rest & FRACTION) | (ulong)exponent << 52;
}

kernel void test_remainders(global uint *record) {
    START
    for (uint j = 1; j < 128; j += 31) {
        const double y = number(l * 5 + j & 127), actual = fmod(x, y);
        const ulong divisor = as_ulong(y) & ~SIGN;
        if (isnan(x) || isnan(y) || isinf(x) || y == 0) CHECK(0, isnan(actual))
        else CHECK(1, same(below | (isinf(y) ? size : remainder_of(size, divisor)), actual))
    }
    ASSERT(0, wrong);
}
