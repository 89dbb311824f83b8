// SPDX-License-Identifier: Apache-2.0
// __fp8_e4m3 and __fp8_e5m2, floats of 8 bits: operators, conversions, constants, vectors, memory, arguments.
// OPTIONS: -cl-std=CL3.0
#include "assert.h"

typedef __fp8_e4m3 e4m3x2 __attribute__((ext_vector_type(2)));
typedef __fp8_e4m3 e4m3x4 __attribute__((ext_vector_type(4)));
typedef __fp8_e5m2 e5m2x4 __attribute__((ext_vector_type(4)));
#define AS_E4M3(bits) __builtin_astype((uchar)(bits), __fp8_e4m3)
#define AS_E5M2(bits) __builtin_astype((uchar)(bits), __fp8_e5m2)
#define ASSERT_BYTE(expected, actual) ASSERT(expected, as_uchar(actual))

typedef struct { char first; __fp8_e4m3 second; e4m3x4 third; __fp8_e5m2 fourth; } Record;
constant __fp8_e4m3 kTable[] = {1.0f, -2.5f, 464.0f, 0x1p-9f, 465.0f};
constant __fp8_e5m2 kOther[] = {1.125f, 61439.0f, 61440.0f, 0x1p-16f, -0x1.8p-17f};
global Record program_scope = {1, 0.5f, (e4m3x4)(1, 2, 3, 4), -8.0f};
__fp8_e4m3 twice(__fp8_e4m3 x) { return x + x; }
constant uchar kBits = __builtin_astype((__fp8_e5m2)3.0f, uchar);

kernel void test_constants(global uint *record, global int *in) {
    ASSERT_BYTE(0x38, kTable[in[0]]); ASSERT_BYTE(0xc2, kTable[in[1]]); ASSERT_BYTE(0x7e, kTable[in[2]]); ASSERT_BYTE(1, kTable[in[3]]);
    ASSERT_BYTE(0x7f, kTable[in[4]]); ASSERT_BYTE(0x3c, kOther[in[0]]); ASSERT_BYTE(0x7b, kOther[in[1]]); ASSERT_BYTE(0x7c, kOther[in[2]]);
    ASSERT_BYTE(1, kOther[in[3]]); ASSERT_BYTE(0x81, kOther[in[4]]); ASSERT(0x42, kBits + in[0]);
    ASSERT_BYTE(0x30, program_scope.second); ASSERT_BYTE(0x44, program_scope.third.z); ASSERT_BYTE(0xc8, program_scope.fourth);
    ASSERT(12, sizeof(Record)); ASSERT(1, sizeof(__fp8_e4m3));
}
kernel void test_operators(global uint *record, global int *in) {
    const __fp8_e4m3 one = in[1], three = in[3], sixteen = 16;
    ASSERT_BYTE(0x48, one + three); ASSERT_BYTE(0xc0, one - three); ASSERT_BYTE(0x2b, one / three); ASSERT_BYTE(0xb8, -one);
    ASSERT_BYTE(0x58, sixteen + one); ASSERT_BYTE(0x40, twice(one));  // 17 is halfway to 18
    __fp8_e4m3 x = one;
    x += three; ASSERT_BYTE(0x48, x); x++; ASSERT_BYTE(0x4a, x); x *= 0.1f; ASSERT_BYTE(0x30, x);
    ASSERT(4, sizeof(one + 1.0f)); ASSERT(1, sizeof(one + three)); ASSERT(1, sizeof(one + 1)); ASSERT(4, sizeof(one + AS_E5M2(0)));
    ASSERT(1, one < three); ASSERT(0, AS_E4M3(in[0] + 0x7f) == AS_E4M3(in[0] + 0x7f)); ASSERT(1, !(bool)AS_E4M3(in[0] + 0x80)); ASSERT(1, three && one);
    ASSERT_BITS(as_uint(3.5f), three + AS_E5M2(in[0] + 0x38));
}
kernel void test_conversions(global uint *record, global int *in) {
    ASSERT_BYTE(0xc4, (__fp8_e4m3)(in[0] - 3)); ASSERT(-3, (int)AS_E4M3(in[0] + 0xc4)); ASSERT(192, (uchar)AS_E4M3(in[0] + 0x74));
    ASSERT_BYTE(0x7c, (__fp8_e5m2)(in[0] + 61440)); ASSERT_BYTE(0x7b, (__fp8_e5m2)(in[0] + 61439)); ASSERT_BYTE(0xff, (__fp8_e4m3)(in[0] - 0x7fffffffffffL));
    ASSERT_BYTE(0x44, (__fp8_e5m2)AS_E4M3(in[0] + 0x48)); ASSERT_BYTE(0x48, (__fp8_e4m3)AS_E5M2(in[0] + 0x44));
    ASSERT(0x4080, as_ushort((__bf16)AS_E5M2(in[0] + 0x44))); ASSERT_BYTE(0x48, (__fp8_e4m3)__builtin_astype((ushort)(in[0] + 0x4080), __bf16));
    ASSERT_BITS(0x3b000000, AS_E4M3(in[0] + 1)); ASSERT_BITS(0x37800000, AS_E5M2(in[0] + 1)); ASSERT_BYTE(1, (__fp8_e4m3)as_float(in[0] + 0x3b000000));
}
kernel void test_vectors(global uint *record, global int *in, global int *out) {
    const e4m3x4 x = __builtin_convertvector((int4)(in[1], in[2], in[3], in[4]), e4m3x4);
    e4m3x4 y = x * x + (__fp8_e4m3)1;
    ASSERT_BYTE(0x40, y.x); ASSERT_BYTE(0x4a, y.y); ASSERT_BYTE(0x52, y.z); ASSERT_BYTE(0x58, y.w);
    y.xy = x.wz; y[2] = -y[3];
    const float4 wide = __builtin_convertvector(y, float4);
    ASSERT_BITS(as_uint(-16.0f), wide.z); ASSERT_BITS(as_uint(4.0f), wide.x);
    const char4 less = x < y;
    ASSERT(-1, less.x); ASSERT(0, less.z);
    *(global e4m3x4 *)out = y;
    ASSERT(0x58d84448, out[0]);
    const e5m2x4 other = __builtin_convertvector(x, e5m2x4);
    ASSERT(0x4442403c, __builtin_astype(other, uint));
    const e4m3x2 pair = ((global e4m3x2 *)out)[in[1]];
    ASSERT(0x58d8, __builtin_astype(pair, ushort));
}
kernel void test_memory(global uint *record, global int *in, local __fp8_e4m3 *shared, global __fp8_e5m2 *numbers) {
    shared[in[1]] = 2.0f;
    ASSERT_BYTE(0x40, shared[in[1]]);
    numbers[in[3]] = (__fp8_e5m2)-1.75f;
    ASSERT(0xbf, ((global uchar *)numbers)[3]);
    __fp8_e5m2 own[4] = {1, 2};
    own[in[2]] = own[in[1]] * own[in[1]];
    ASSERT_BYTE(0x44, own[in[2]]); ASSERT_BYTE(0, own[in[3]]);
}
