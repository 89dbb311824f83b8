// SPDX-License-Identifier: Apache-2.0
// The numbers and formats of double; the algorithms are in real.h and the .inc files.
#pragma once
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "poly_double.h"

typedef double real;
typedef double2 real2;
typedef double4 real4;
typedef ulong bits;
typedef long signed_bits;
#define AS_BITS(x) as_ulong(x)
#define AS_REAL(b) as_double(b)
#define R(number) number  // a literal

#define BOTH_SIDES 0
#define FRACTION_BITS 52
#define EXPONENT_BIAS 1023
#define WORD_BITS 64
#define ONE_BITS 0x3ff0000000000000ul
#define TWO_THIRDS_BITS 0x3fe5555500000000ul
#define LEAST_NORMAL 0x1p-1022
#define LEADING_MASK 0xfffffffff8000000ul  // 26 of the 53 bits of a significand
#define LARGEST_BELOW_1 0x1.fffffffffffffp-1
#define SMALL_QUOTIENT 1073741824.0  // 2^30
#define ROUNDER 6755399441055744.0  // 1.5 * 2^52
#define ALL_EVEN_FROM 9007199254740992.0  // 2^53

#define EXP_NEAR 700.0
#define EXP_HIGHEST 711.0
#define EXP_LOWEST -747.0
#define EXP2_NEAR 1020.0
#define EXP2_HIGHEST 1025.0
#define EXP2_LOWEST -1080.0
#define EXP10_NEAR 304.0
#define EXP10_HIGHEST 309.0
#define EXP10_LOWEST -325.0
#define EXPM1_HIGHEST 709.79
#define EXPM1_LOWEST -39.0
// heads of 42 bits
#define LN2_HIGH 6.93147180559890330e-01
#define LN2_LOW 5.49792301870837116e-14
#define LOG10_2_HIGH 3.01029995663952832e-01
#define LOG10_2_LOW 2.83633945510449642e-14

#define LOG2_E_HIGH 1.44269504088896339e+00
#define LOG2_E_LOW 2.03552737409310331e-17
#define LOG10_E_HIGH 4.34294481903251817e-01
#define LOG10_E_LOW 1.09831965021676507e-17
#define PI_HIGH 3.14159265358979312e+00
#define PI_LOW 1.22464679914735321e-16
#define PI_2_HIGH 1.57079632679489656e+00
#define PI_2_LOW 6.12323399573676604e-17
#define PI_2_FIRST 0x1.921fb54442d18p+0
#define PI_2_SECOND 0x1.1a62633145c06p-54
#define PI_2_THIRD 0x1.c1cd129024e08p-107
#define ONE_PI_HIGH 3.18309886183790691e-01
#define LOG2_SQRT_2PI_HIGH 1.32574806473615947e+00
#define LOG2_SQRT_2PI_LOW -7.15341367042759879e-17

// parts of 42 bits
#define PI_2_A 1.57079632679460701e+00
#define PI_2_B 2.89607397162181747e-13
#define PI_2_C 1.64462569363233163e-26
#define PI_2_D 9.41520538830392521e-40

#define TANH_IS_1_FROM 19.1
#define ASINH_IS_LOG_FROM 268435456.0
#define ERF_IS_1_FROM 6.0
#define ERFC_IS_0_FROM 27.3
#define GAMMA_HIGHEST 172.0
#define GAMMA_LOWEST 190.0
#define GAMMA_TINY 1.0e-17
#define CUBE_EXPONENT 600
#define DENORMAL_CUBE_FACTOR 1.0
#define DENORMAL_CUBE_ROOT_EXPONENT -358
#define SQUARE_LARGE 1.0e150
#define SQUARE_SMALL 1.0e-140
#define SQUARE_LARGE_EXPONENT 600
#define SQUARE_SMALL_EXPONENT -700
#define SUM_LARGE 1.0e150
#define SUM_SMALL 1.0e-150
#define POWER_LIMIT 1.0e22

static double stirling_series(double z) {
    double s = 6.4102564102564103e-03 - z * (2.9550653594771242e-02 - z * 1.7964437236883057e-01);
    s = 5.9523809523809524e-04 - z * (8.4175084175084175e-04 - z * (1.9175269175269175e-03 - z * s));
    return 8.3333333333333333e-02 - z * (2.7777777777777778e-03 - z * (7.9365079365079365e-04 - z * s));
}

// |x| < limit, by the upper words as floats, for a limit from 2^-1000 to 2^1000 whose lower word is zero
static bool is_below(double x, double limit) {
    return fabs(as_float((uint)(as_ulong(x) >> 32))) < as_float((uint)(as_ulong(limit) >> 32));
}

// As in float.h: float's, and a step that triples its digits.
static double inverse(double x) {
    double r = (double)(1.0f / (float)x), e = mad(-x, r, 1.0);
    return mad(r, mad(e, e, e), r);
}
static double inverse_of_large(double x) { return inverse(min(x, 1.0e30)); }
static double third_root_guess(double x) {
    return as_double((ulong)(0x553ee900u - (uint)(as_ulong(x) >> 32) / 3u) << 32);
}
static double exponent_value(ulong exponent, double more) {
    return as_double(as_ulong(ROUNDER) + (ulong)((long)exponent >> FRACTION_BITS)) - (ROUNDER - more);
}
static double inverse_root(double x) {
    double r = (double)rsqrt((float)x), e = mad(-x * r, r, 1.0);
    return mad(r * e, mad(e, 0.375, 0.5), r);
}
static double root(double x) {
    double r = inverse_root(x + 1.0e-32), s = x * r;
    return mad(mad(-s, s, x), 0.5 * r, s);
}

#include "real.h"
