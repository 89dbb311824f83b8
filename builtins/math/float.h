// SPDX-License-Identifier: Apache-2.0
// The numbers and formats of float; the algorithms are in real.h and the .inc files.
#pragma once
#include "poly_float.h"

typedef float real;
typedef float2 real2;
typedef float4 real4;
typedef uint bits;
typedef int signed_bits;
#define AS_BITS(x) as_uint(x)
#define AS_REAL(b) as_float(b)
#define R(number) number##f  // a literal

#define BOTH_SIDES 1  // of a choice are computed: a branch costs more
#define FRACTION_BITS 23
#define EXPONENT_BIAS 127
#define WORD_BITS 32
#define ONE_BITS 0x3f800000u
#define TWO_THIRDS_BITS 0x3f2aaaabu
#define LEAST_NORMAL 0x1p-126f
#define LEADING_MASK 0xfffff000u  // 12 of the 24 bits of a significand
#define LARGEST_BELOW_1 0x1.fffffep-1f
#define SMALL_QUOTIENT 1048576.0f  // 2^20: fmod
// 1.5 * 2^23: the last place is 1, also in sums with smaller numbers of either sign
#define ROUNDER 12582912.0f
#define ALL_EVEN_FROM 16777216.0f  // 2^24: every float is an even number from here on

// exp: beyond these it is infinite or zero; heads of 15 and 11 bits make n * head exact.
#define EXP_NEAR 86.0f
#define EXP_HIGHEST 90.0f
#define EXP_LOWEST -106.0f
#define EXP2_NEAR 125.0f
#define EXP2_HIGHEST 129.0f
#define EXP2_LOWEST -152.0f
#define EXP10_NEAR 37.0f
#define EXP10_HIGHEST 39.0f
#define EXP10_LOWEST -46.0f
#define EXPM1_HIGHEST 88.8f
#define EXPM1_LOWEST -18.0f
#define LN2_HIGH 0.693145751953125f
#define LN2_LOW 1.428606765e-06f
#define LOG10_2_HIGH 0.30102539062f
#define LOG10_2_LOW 4.605039067e-06f

// Pairs
#define LOG2_E_HIGH 1.44269502e+00f
#define LOG2_E_LOW 1.92596303e-08f
#define LOG10_E_HIGH 4.34294492e-01f
#define LOG10_E_LOW -1.010304995e-08f
#define PI_HIGH 3.14159274e+00f
#define PI_LOW -8.74227766e-08f
#define PI_2_HIGH 1.57079637e+00f
#define PI_2_LOW -4.37113883e-08f
// pi/2 in three parts for a fused Fma; all are positive, which leaves -0 what it is
#define PI_2_FIRST 0x1.921fb4p+0f
#define PI_2_SECOND 0x1.4442dp-24f
#define PI_2_THIRD 0x1.846988p-48f
#define ONE_PI_HIGH 3.18309873e-01f
#define LOG2_SQRT_2PI_HIGH 1.32574806e+00f
#define LOG2_SQRT_2PI_LOW 0.0f

// pi/2 in parts of 13 bits, whose products with an n of 11 bits are exact
#define PI_2_A 1.570556641f
#define PI_2_B 2.396702766e-04f
#define PI_2_C 1.589069143e-08f
#define PI_2_D 2.563344068e-12f

// Where something vanishes against something else
#define TANH_IS_1_FROM 9.2f
#define ASINH_IS_LOG_FROM 8192.0f
#define ERF_IS_1_FROM 4.0f
#define ERFC_IS_0_FROM 10.1f
#define GAMMA_HIGHEST 40.0f
#define GAMMA_LOWEST 50.0f
#define GAMMA_TINY 1.0e-7f
// Scaling before squares are added
#define CUBE_EXPONENT 78
#define DENORMAL_CUBE_FACTOR 2.0f
#define DENORMAL_CUBE_ROOT_EXPONENT -50
#define SQUARE_LARGE 1.0e15f
#define SQUARE_SMALL 1.0e-15f
#define SQUARE_LARGE_EXPONENT 70
#define SQUARE_SMALL_EXPONENT -90
#define SUM_LARGE 1.0e18f
#define SUM_SMALL 1.0e-18f
#define POWER_LIMIT 1.0e12f  // times the smallest log2 it is beyond every exponent

// Stirling's series, log Gamma(x) = ... + r S(r^2) with r = 1/x, for x >= 10
static float stirling_series(float z) { return 8.33333358e-02f - z * (2.77777785e-03f - z * 7.93650805e-04f); }

static bool is_below(float x, float limit) { return fabs(x) < limit; }

// 1 / x and sqrt(x) for x from 2^-100 to 2^100, to a few ulp. The root of 0 is 0; that of a negative number
// or NaN is NaN.
static float inverse(float x) { return 1.0f / x; }
static float inverse_of_large(float x) { return 1.0f / x; }  // infinity too
float __attribute__((overloadable)) root(float x);           // root_versions.cl
static float third_root_guess(float x) { return as_float(0x54a1f400u - as_uint(x) / 3u); }  // x^(-1/3), 3.4% off
// `exponent` in its place, a multiple of 2^23
static float exponent_value(uint exponent, float more) { return mad((float)(int)exponent, 0x1p-23f, more); }

#include "real.h"
