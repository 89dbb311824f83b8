// SPDX-License-Identifier: Apache-2.0
// __bf16, the upper half of a float: arithmetic, conversions, vectors, memory, arguments, constants.
// OPTIONS: -cl-std=CL3.0
#include "assert.h"

typedef __bf16 bf16x2 __attribute__((ext_vector_type(2)));
typedef __bf16 bf16x4 __attribute__((ext_vector_type(4)));
typedef __bf16 bf16x8 __attribute__((ext_vector_type(8)));
#define AS_BF16(bits) __builtin_astype((ushort)(bits), __bf16)
#define ASSERT_BF16(expected, actual) ASSERT(expected, as_ushort(actual))

typedef struct { char first; __bf16 second; bf16x4 third; } Record;
constant __bf16 kTable[] = {1.0f, -2.5f, 1.00390625f, 3.4028235e38f};
global Record program_scope = {1, 0.5f, (bf16x4)(1, 2, 3, 4)};
__bf16 twice(__bf16 x) { return x + x; }

kernel void test_arithmetic(global uint *record, global int *in) {
    const __bf16 one = in[1], three = in[3], big = 256;
    ASSERT_BF16(0x4080, one + three); ASSERT_BF16(0xc000, one - three); ASSERT_BF16(0x4040, one * three);
    ASSERT_BF16(0x3eab, one / three); ASSERT_BF16(0xbf80, -one); ASSERT_BF16(0x3f80, +one);
    // Each result is rounded: 256 + 1 is halfway to 258.
    ASSERT_BF16(0x4380, big + one + one); ASSERT_BF16(0x4381, (__bf16)((float)big + (float)one + (float)one));
    __bf16 x = one;
    x += three; ASSERT_BF16(0x4080, x); x *= 0.1f; ASSERT_BF16(0x3ecd, x);
    x = big; x++; ASSERT_BF16(0x4380, x); --x; ASSERT_BF16(0x437f, x); x -= one; ASSERT_BF16(0x437e, x);
    ASSERT(4, sizeof(one + 1.0f)); ASSERT(2, sizeof(one + three)); ASSERT(2, sizeof(one + 1));
    ASSERT_BF16(0x4000, twice(one));
    ASSERT_BF16(0x40e0, one * three + 4);
}
kernel void test_comparisons(global uint *record, global int *in) {
    const __bf16 zero = in[0], one = in[1], three = in[3], nan = AS_BF16(in[0] + 0x7fc1);
    ASSERT(1, one < three); ASSERT(0, one > three); ASSERT(1, one <= one); ASSERT(0, three <= one); ASSERT(1, one != three);
    ASSERT(0, nan == nan); ASSERT(1, nan != nan); ASSERT(0, nan < one); ASSERT(1, -zero == zero);
    ASSERT(1, !zero); ASSERT(0, !one); ASSERT(7, (bool)one ? 7 : 8); ASSERT(1, three && one); ASSERT(0, zero || -zero);
    ASSERT_BF16(0x4040, zero < one ? three : one); ASSERT(1, (bool)three);
}
kernel void test_conversions(global uint *record, global int *in) {
    ASSERT_BF16(0xc040, (__bf16)(in[0] - 3)); ASSERT_BF16(0x4f80, (__bf16)(uint)(in[0] - 3)); ASSERT(-3, (int)AS_BF16(0xc060 + in[0]));
    ASSERT_BF16(0x3f82, (__bf16)as_float(0x3f818000 + in[0])); ASSERT_BF16(0x7f80, (__bf16)as_float(0x7f7fffff + in[0]));
    ASSERT_BF16(0x7fc0, (__bf16)as_float(0x7f800001 + in[0])); ASSERT_BF16(1, (__bf16)as_float(0x00008001 + in[0]));
    ASSERT_BITS(0x40490000, AS_BF16(in[0] + 0x4049)); ASSERT(200, (uchar)AS_BF16(in[0] + 0x4348));
    ASSERT_LONG(-256, (long)AS_BF16(in[0] + 0xc380)); ASSERT_BF16(0x5f00, (__bf16)(0x7fffffffffffffffL - in[1]));
}
kernel void test_vectors(global uint *record, global int *in, global int *out) {
    const bf16x4 x = __builtin_convertvector((int4)(in[1], in[2], in[3], in[4]), bf16x4);
    bf16x4 y = x * x + (__bf16)1;
    ASSERT_BF16(0x4000, y.x); ASSERT_BF16(0x40a0, y.y); ASSERT_BF16(0x4120, y.z); ASSERT_BF16(0x4188, y.w);
    y.xy = x.wz; y[2] = -y[3];
    ASSERT_BF16(0x4080, y.s0); ASSERT_BF16(0x4040, y.s1); ASSERT_BF16(0xc188, y.s2);
    const float4 wide = __builtin_convertvector(y, float4);
    ASSERT_BITS(0xc1880000, wide.z);
    const short4 less = x < y;
    ASSERT(-1, less.x); ASSERT(0, less.z);
    const bf16x8 eight = (bf16x8)(x, y);
    ASSERT_BF16(0x4080, eight.s4); ASSERT_BF16(0x4188, eight.s7);
    *(global bf16x8 *)out = eight;
    ASSERT(0x40003f80, out[0]); ASSERT(0x40804040, out[1]); ASSERT(0x40404080, out[2]); ASSERT(0x4188c188, out[3]);
    const bf16x2 pair = ((global bf16x2 *)out)[in[1]];
    ASSERT(0x40804040, __builtin_astype(pair, uint));
}
#if defined(cl_intel_bfloat16_conversions) && !defined(__clang__)  // clang has the macro, not the functions
kernel void test_intel(global uint *record, global int *in) {
    ASSERT(0x3f82, intel_convert_bfloat16_as_ushort(as_float(0x3f818000 + in[0])));
    const ushort4 bits = intel_convert_bfloat164_as_ushort4(convert_float4((int4)(in[1], in[2], in[3], in[4])));
    ASSERT(0x3f80, bits.x); ASSERT(0x4080, bits.w);
    const float3 back = intel_convert_as_bfloat163_float3(bits.wzy);
    ASSERT_BITS(0x40800000, back.x); ASSERT_BITS(0x40000000, back.z);
    ASSERT_BITS(0xff800000, intel_convert_as_bfloat16_float(in[0] + 0xff80));
}
#endif
kernel void test_memory(global uint *record, global int *in, global int *out, local __bf16 *shared) {
    ASSERT_BF16(0x3f80, kTable[in[0]]); ASSERT_BF16(0xc020, kTable[in[1]]); ASSERT_BF16(0x3f80, kTable[in[2]]); ASSERT_BF16(0x7f80, kTable[in[3]]);
    ASSERT_BF16(0x3f00, program_scope.second); ASSERT_BF16(0x4040, program_scope.third.z); ASSERT(16, sizeof(Record));
    __bf16 own[4] = {1, 2};
    own[in[2]] = own[in[1]] * own[in[1]];
    ASSERT_BF16(0x4080, own[in[2]]); ASSERT_BF16(0, own[in[3]]);
    global __bf16 *p = (global __bf16 *)out;
    p[0] = own[2]; p[1] = -p[0];
    ASSERT(0xc0804080, out[0]);
    shared[in[1]] = p[1];
    ASSERT_BF16(0xc080, shared[in[1]]);
}
