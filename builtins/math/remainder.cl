// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, remquo: exact, by long division of the significands, seven bits a step (OpenCL C 6.13.2).
#include "parts.h"

typedef struct {
    uint rest;      // in units of half the last place of y
    uint quotient;  // its low bits
    uint divisor;   // y in the same units
    int exponent;   // of the unit
} Division;

static float long_division_result(uint rest, int exponent, bool negative) {
    return join_float(rest, exponent, negative);
}

// |x| / |y| for finite x and finite y != 0, x != 0
static Division divide(float x, float y) {
    int2 a = split_float(x), b = split_float(y);
    Division d;
    d.divisor = (uint)b.x << 1;
    d.exponent = b.y - 1;
    d.rest = (uint)a.x;
    d.quotient = 0u;
    int steps = a.y - d.exponent;
    if (steps < 0) {  // |x| < |y| / 2: x itself, in its own units
        d.exponent = a.y;
        d.divisor = 0xffffffffu;
        return d;
    }
    while (steps > 0) {
        int k = min(steps, 7);
        d.rest <<= k;
        uint digit = d.rest / d.divisor;
        d.rest -= digit * d.divisor;
        d.quotient = (d.quotient << k) | digit;
        steps -= k;
    }
    return d;
}

static bool is_undefined(float x, float y) { return magnitude_bits(x) >= INF_BITS || is_nan(y) || is_zero(y); }

float LIBRARY fmod(float x, float y) {
    if (is_undefined(x, y)) return NAN_VALUE;
    if (is_zero(x) || is_inf(y)) return x;
    Division d = divide(x, y);
    return long_division_result(d.rest, d.exponent, is_negative(x));
}

static float remainder_and_quotient(float x, float y, int* quotient) {
    *quotient = 0;
    if (is_undefined(x, y)) return NAN_VALUE;
    if (is_zero(x) || is_inf(y)) return x;
    Division d = divide(x, y);
    bool negative = is_negative(x);
    if (d.divisor != 0xffffffffu) {
        uint twice = d.rest << 1;
        if (twice > d.divisor || (twice == d.divisor && (d.quotient & 1u) != 0u)) {
            d.rest = d.divisor - d.rest;
            d.quotient += 1u;
            negative = !negative;
        }
        int low = (int)(d.quotient & 0x7fu);
        *quotient = is_negative(x) != is_negative(y) ? -low : low;
    }
    if (d.rest == 0u) return with_sign_of(0.0f, x);
    return long_division_result(d.rest, d.exponent, negative);
}

float LIBRARY remainder(float x, float y) {
    int ignored;
    return remainder_and_quotient(x, y, &ignored);
}

float LIBRARY remquo(float x, float y, int* quotient) { return remainder_and_quotient(x, y, quotient); }
