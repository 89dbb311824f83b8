// SPDX-License-Identifier: Apache-2.0
// Division and square root for -cl-fp32-correctly-rounded-divide-sqrt (OpenCL C 7.4), including subnormal
// arguments and results. The device's approximation of the significand is corrected by the remainder, which
// integers represent exactly.
#include "float.h"
#include "parts.h"

// m * 2^unit rounded to nearest even; the leading bit of m is bit 25, and its last bit is set when anything
// is below.
static float round_once(uint m, int unit, bool negative) {
    uint sign = negative ? SIGN_BIT : 0u;
    int exponent = unit + 25 + EXPONENT_BIAS;
    if (exponent > 2 * EXPONENT_BIAS) return as_float(sign | INF_BITS);
    int drop = exponent >= 1 ? 2 : min(3 - exponent, 27);
    uint kept = m >> drop, rest = m & ((1u << drop) - 1u), half_unit = 1u << (drop - 1);
    bool up = rest > half_unit || (rest == half_unit && (kept & 1u) != 0u);
    // The hidden bit adds one to the exponent.
    uint above = exponent >= 1 ? (uint)(exponent - 1) << FRACTION_BITS : 0u;
    return as_float(sign | (above + kept + (up ? 1u : 0u)));
}

float LIBRARY divide_rounded(float x, float y) {
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    bool negative = is_negative(x) != is_negative(y);
    uint sign = negative ? SIGN_BIT : 0u;
    if (is_inf(x) || is_zero(y))
        return is_inf(y) || is_zero(x) ? NAN_VALUE : as_float(sign | INF_BITS);
    if (is_zero(x) || is_inf(y)) return as_float(sign);
    uint dividend = significand_of(x), divisor = significand_of(y);
    int unit = exponent_of(x) - exponent_of(y) - 25;
    if (dividend < divisor) {
        dividend <<= 1;
        unit--;
    }
    // floor(2^24 dividend / divisor), of 25 bits. Off by less than 32 at first: the remainder modulo 2^32 is
    // the remainder.
    float inverse = 1.0f / (float)divisor;
    uint quotient = (uint)((float)dividend * inverse * 0x1p24f);
    int rest = (int)((dividend << 24) - quotient * divisor);
    int step = (int)floor((float)rest * inverse);
    quotient += (uint)step;
    rest -= step * (int)divisor;
    if (rest < 0) {
        quotient--;
        rest += (int)divisor;
    } else if (rest >= (int)divisor) {
        quotient++;
        rest -= (int)divisor;
    }
    return round_once((quotient << 1) | (rest != 0 ? 1u : 0u), unit, negative);
}

float LIBRARY sqrt_rounded(float x) {
    if (is_zero(x)) return x;
    if (is_nan(x) || is_negative(x)) return NAN_VALUE;
    if (is_inf(x)) return x;
    uint radicand = significand_of(x);
    int exponent = exponent_of(x);
    if ((exponent & 1) == 0) {
        radicand <<= 1;
        exponent--;
    }
    // floor(sqrt(2^25 radicand)), of 25 bits. Off by less than 16 at first: the remainder modulo 2^32 is the
    // remainder.
    uint root = (uint)(sqrt((float)(radicand << 1)) * 0x1p12f);
    int rest = (int)((radicand << 25) - root * root);
    int step = (int)floor((float)rest / (float)(root << 1));
    rest -= step * ((int)(root << 1) + step);
    root += (uint)step;
    if (rest < 0) {
        root--;
        rest += (int)(root << 1) + 1;
    } else if (rest > (int)(root << 1)) {
        rest -= (int)(root << 1) + 1;
        root++;
    }
    return round_once((root << 1) | (rest != 0 ? 1u : 0u), ((exponent - 25) >> 1) - 1, false);
}
