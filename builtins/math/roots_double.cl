// SPDX-License-Identifier: Apache-2.0
// 1 / x, a / b, sqrt and rsqrt of doubles, where mad() is fused: faster than devices' own, and without what
// is wrong with those of some (DriverQuirks::wrong_around_calls). None divides doubles or takes their roots
// by the device's instructions.
#include "double.h"
#include "parts.h"

// The iterations start from 1 / x or 1 / sqrt(x) of a float near x, for x from 2^-125 to 2^125. The float is
// x's upper half, taken from its bits, which is faster than two conversions. This is the upper word of the
// guess, whose lower word is zero:
static uint inverse_guess(double x) {  // to 18 bits, never too small
    uint upper = upper_word(as_ulong(x));
    float r = 1.0f / as_float((upper << 3) + 0x3ffffff0u);
    return ((as_uint(r) >> 3) + 0x38000000u) | (upper & 0x80000000u);
}
static uint inverse_root_guess(double x) {  // to 19 bits
    return (as_uint(rsqrt(as_float((upper_word(as_ulong(x)) << 3) + 0x40000004u))) >> 3) + 0x38000000u;
}
static double from_upper(uint word) { return as_double((ulong)word << 32); }

// Whether a guess was near, that is x in the range
static bool is_near(double error) { return is_below(error, 0x1p-17); }
// Whether the root of x may be guessed: x is positive and in the range
static bool is_in_range(double x) { return upper_word(as_ulong(x)) - 0x38200000u < 0x0fb00000u; }

// 1 / x from a guess that is off by `error`, correctly rounded (P. Markstein, 1990) but for 2 - 2^-52, where
// the step before the last has to round up: the guess sees to it.
static double refined(double x, double guess, double error) {
    double r = mad(guess, mad(error, error, error), guess);
    return mad(r, mad(-x, r, 1.0), r);
}

// a / b from 1 / b, correctly rounded (P. Markstein) where neither it nor a 2^-53 leaves the normal numbers
static double corrected(double a, double b, double inverse) {
    double q = a * inverse;
    return mad(mad(-b, q, a), inverse, q);
}

static double significand(double x) { return as_double((significand_of(x) ^ HIDDEN_BIT) | ONE_BITS); }

// The quotient of the significands, then rounded to the places that a denormal has
static double quotient_of_any(double a, double b) {
    ulong sign = (as_ulong(a) ^ as_ulong(b)) & SIGN_BIT;
    if (is_nan(a) || is_nan(b) || (is_inf(a) && is_inf(b)) || (is_zero(a) && is_zero(b))) return NAN_VALUE;
    if (is_inf(a) || is_zero(b)) return as_double(sign | INF_BITS);
    if (is_zero(a) || is_inf(b)) return as_double(sign);
    double x = significand(a), y = significand(b), guess = from_upper(inverse_guess(y));
    double q = corrected(x, y, refined(y, guess, mad(-y, guess, 1.0)));
    int more = exponent_of(a) - exponent_of(b), exponent = (int)(as_ulong(q) >> FRACTION_BITS) + more;
    if (exponent > 2 * EXPONENT_BIAS) return as_double(sign | INF_BITS);
    if (exponent >= 1) return as_double(sign | (as_ulong(q) + ((ulong)(long)more << FRACTION_BITS)));
    int drop = 1 - exponent;
    if (drop > FRACTION_BITS + 1) return as_double(sign);
    ulong kept = significand_of(q) >> drop, lost = significand_of(q) & ((1ul << drop) - 1), half_unit = 1ul << (drop - 1);
    double missing = mad(-y, q, x);  // its sign is that of a / b less q
    bool up = lost > half_unit || (lost == half_unit && (missing > 0.0 || (missing == 0.0 && (kept & 1) != 0)));
    return as_double(sign | (kept + (up ? 1 : 0)));
}

double LIBRARY reciprocal_rounded(double x) {
    double guess = from_upper(inverse_guess(x)), error = mad(-x, guess, 1.0), r = refined(x, guess, error);
    if (!is_near(error)) r = quotient_of_any(1.0, x);
    return r;
}

// |x| from 2^-399 to 2^401. Guesses are near for less than 2^512, one way or the other.
static bool is_moderate(double x) { return (upper_word(as_ulong(x)) & 0x7fffffffu) - 0x27000000u < 0x32000000u; }

double LIBRARY divide_rounded(double a, double b) {
    double guess = from_upper(inverse_guess(b)), error = mad(-b, guess, 1.0);
    double q = corrected(a, b, refined(b, guess, error));
    if (!(is_near(error) && is_moderate(a))) q = quotient_of_any(a, b);
    return q;
}

// Correctly rounded: R. Goldschmidt's step (1964) for the root and half its inverse, and one of P.
// Markstein's
static double root_in_range(double x) {
    uint guess = inverse_root_guess(x);
    double r = from_upper(guess), half_inverse = from_upper(guess - 0x00100000u);
    double s = x * r, error = mad(-s, half_inverse, 0.5), step = mad(1.5 * error, error, error);
    s = mad(s, step, s);
    half_inverse = mad(half_inverse, step, half_inverse);
    return mad(mad(-s, s, x), half_inverse, s);
}

// A positive finite number outside the range, as y 4^half with 1 <= y < 4
typedef struct {
    double y;
    int half_exponent;
} Square;
static Square square_of(double x) {
    double2 n = normal(x);
    int half_exponent = ((int)(as_ulong(n.x) >> FRACTION_BITS) - EXPONENT_BIAS) >> 1;
    double y = as_double(as_ulong(n.x) - ((ulong)(long)half_exponent << (FRACTION_BITS + 1)));
    return (Square){y, half_exponent + (int)n.y / 2};
}

static double root_of_any(double x) {
    Square s = square_of(x);
    double value = root_in_range(s.y) * power_of_two(s.half_exponent);
    if (is_nan(x) || is_negative(x)) value = NAN_VALUE;
    return is_zero(x) || x == INF_VALUE ? x : value;
}

double LIBRARY sqrt_rounded(double x) {
    double value = root_in_range(x);
    if (!is_in_range(x)) value = root_of_any(x);
    return value;
}

// At most 2 ulp, even if mad() is not fused; with two steps, 1.5
static double inverse_root_in_range(double x) {
    double r = from_upper(inverse_root_guess(x)), error = mad(-x * r, r, 1.0);
    return mad(r * error, mad(error, 0.375, 0.5), r);
}

static double inverse_root_of_any(double x) {
    Square s = square_of(x);
    double value = inverse_root_in_range(s.y) * power_of_two(-s.half_exponent);
    if (is_nan(x) || is_negative(x)) value = NAN_VALUE;
    if (x == INF_VALUE) value = 0.0;
    return is_zero(x) ? as_double(as_ulong(x) | INF_BITS) : value;
}

double LIBRARY reciprocal_root(double x) {
    double value = inverse_root_in_range(x);
    if (!is_in_range(x)) value = inverse_root_of_any(x);
    return value;
}
