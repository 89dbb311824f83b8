// SPDX-License-Identifier: Apache-2.0
// Constants of half that are made from bits, and bits of constants of half.
// NEEDS: half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "assert.h"
constant half kInfinity = as_half((ushort)0x7c00), kNan = as_half((ushort)0x7c01), kNegated = -as_half((ushort)0xfe03);
constant half2 kTwo = as_half2(0xc0003c01);
constant ushort kBits = as_ushort((half)1.5f), kNanBits = as_ushort(as_half((ushort)0xfc05));
constant int kTwoOrOne = as_half((ushort)0x4200) == 3 ? 2 : 1;
constant int kSizes[2] = {as_short((half)-0.0f), as_int(as_half2(0x7e01fc00))};
kernel void test_half_constants(global uint *record, global int *in) {
    ASSERT(0x7c00, *(constant ushort *)&kInfinity); ASSERT(0x7c01, *(constant ushort *)&kNan);
    ASSERT(0x7e03, *(constant ushort *)&kNegated);
    constant ushort *two = (constant ushort *)&kTwo;
    ASSERT(0x3c01, two[in[0]]); ASSERT(0xc000, two[in[1]]);
    ASSERT(0x3e00, kBits); ASSERT(0xfc05, kNanBits); ASSERT(2, kTwoOrOne);
    ASSERT(-32768, kSizes[in[0]]); ASSERT(0x7e01fc00, kSizes[in[1]]);
    half h = as_half((ushort)(in[0] + 0x7c01));
    ASSERT(0x7c01, as_ushort(h));
    // their nearest doubles are halfway between two halves
    ASSERT(0x3c01, as_ushort(1.00048828125000000000000000001h)); ASSERT(0x3c00, as_ushort(1.00048828125h));
    ASSERT(0x3c01, as_ushort(0x1.00200000000000000001p0h));
}
