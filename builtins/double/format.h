// SPDX-License-Identifier: Apache-2.0
// Doubles as integers, for devices without double (vulkan/translate/lower/emulate_doubles.cpp): each function
// takes and returns the bits. Results are rounded to nearest even, once; denormals, infinities, NaN and signs
// of zeros are those of IEEE 754. Selections are cheaper than branches on a GPU, so there are no branches.
#pragma once

#define LIBRARY __attribute__((overloadable))

#define FRACTION_BITS 52
#define EXPONENT_BIAS 1023
#define INF_EXPONENT 2047
#define SIGN_BIT 0x8000000000000000ul
#define INF_BITS 0x7ff0000000000000ul
#define NAN_BITS 0x7ff8000000000000ul
#define HIDDEN_BIT 0x0010000000000000ul
#define FRACTION_MASK 0x000ffffffffffffful

// Macros, because a call in a condition is a branch
#define SIZE(x) ((x) & ~SIGN_BIT)
#define SIGN(x) ((x) & SIGN_BIT)
#define IS_NAN(x) (SIZE(x) > INF_BITS)
#define UPPER_WORD(x) ((uint)((x) >> 32))
#define EXPONENT(size) ((int)(UPPER_WORD(size) >> (FRACTION_BITS - 32)))

// A number that is neither zero nor infinite: its significand with the leading bit in bit 63, and the exponent
// that it would have if there were no denormals.
typedef struct {
    ulong significand;
    int exponent;
} Number;
static Number number_of(ulong size) {
    bool is_denormal = size < HIDDEN_BIT;
    int zeros = (int)clz(size);
    Number n;
    n.significand = is_denormal ? size << (zeros & 63) : size << 11 | SIGN_BIT;
    n.exponent = is_denormal ? 12 - zeros : EXPONENT(size);
    return n;
}

// x / 2^n for n >= 0, and in the last bit also whether anything is below it. The minimum is of unsigned numbers:
// NVIDIA's compiler (580.159) gets a signed one of a difference of exponents wrong in loops that it unrolls.
static ulong shift_right_jam(ulong x, int n) {
    uint by = min((uint)n, 63u);
    ulong kept = x >> by;
    return kept | (ulong)(kept << by != x);
}

// Rounds a significand whose leading bit is bit 63, and whose last bit also stands for all below.
static ulong round_significand(ulong x) {
    ulong kept = x >> 11;
    uint lost = (uint)x & 0x7ffu;
    return kept + (ulong)(lost + ((uint)kept & 1u) > 0x400u);
}

// The same, with an exponent in the range: that of bit 63, as the format has it. The hidden bit adds one to it.
static ulong join_in_range(ulong sign, int exponent, ulong significand) {
    return (sign | (ulong)(exponent - 1) << FRACTION_BITS) + round_significand(significand);
}

// The same with any exponent: the number may be denormal, zero or infinite.
static ulong join(ulong sign, int exponent, ulong significand) {
    significand = shift_right_jam(significand, max(1 - exponent, 0));
    ulong size = ((ulong)max(exponent - 1, 0) << FRACTION_BITS) + round_significand(significand);
    return sign | (exponent >= INF_EXPONENT ? INF_BITS : size);
}
