// SPDX-License-Identifier: Apache-2.0
// OpFMod of halfs, which OpenCL C does not make: it is exact and has the sign of the divisor. float_mod_half.spvasm
// has the functions, of bits.
// NEEDS: half
#include "assert.h"

// 0.7 mod 0.1, 60000 mod 0.3, 3 mod inf, -3 mod inf, -7 mod 3, 7 mod -3, -0.7 mod -0.1, 7.5 mod 2.5.
constant ushort kDividends[] = {0x399a, 0x7b53, 0x4200, 0xc200, 0xc700, 0x4700, 0xb99a, 0x4780};
constant ushort kDivisors[] = {0x2e66, 0x34cd, 0x7c00, 0x7c00, 0x4200, 0xc200, 0xae66, 0x4100};
constant ushort kRests[] = {0xe00, 0x305a, 0x4200, 0x7c00, 0x4000, 0xc000, 0x8e00, 0x0};

#define T ushort
#define T4 ushort4
#define CHECK_BITS ASSERT
#include "float_mod.h"
