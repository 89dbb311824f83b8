// SPDX-License-Identifier: Apache-2.0
// OpFMod of doubles, which OpenCL C does not make: it is exact and has the sign of the divisor. float_mod_double.spvasm
// has the functions, of bits.
#include "assert.h"
#ifdef cl_khr_fp64

// 0.7 mod 0.1, 1e+300 mod 1.5, 3 mod inf, -3 mod inf, -7 mod 3, 7 mod -3, -0.7 mod -0.1, 7.5 mod 2.5.
constant ulong kDividends[] = {
    0x3fe6666666666666L, 0x7e37e43c8800759cL, 0x4008000000000000L, 0xc008000000000000L,
    0xc01c000000000000L, 0x401c000000000000L, 0xbfe6666666666666L, 0x401e000000000000L};
constant ulong kDivisors[] = {
    0x3fb999999999999aL, 0x3ff8000000000000L, 0x7ff0000000000000L, 0x7ff0000000000000L,
    0x4008000000000000L, 0xc008000000000000L, 0xbfb999999999999aL, 0x4004000000000000L};
constant ulong kRests[] = {
    0x3fb9999999999994L, 0x0L, 0x4008000000000000L, 0x7ff0000000000000L,
    0x4000000000000000L, 0xc000000000000000L, 0xbfb9999999999994L, 0x0L};

#define T ulong
#define T4 ulong4
#define CHECK_BITS ASSERT_LONG
#include "float_mod.h"
#endif
