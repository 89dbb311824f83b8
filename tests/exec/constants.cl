// SPDX-License-Identifier: Apache-2.0
// Program-scope constants and tables: 1.5.3-1. The least long is written with a minus, where it is no ulong.
#include "assert.h"
constant int kTable[8] = {1, 1, 2, 3, 5, 8, 13, 21};
constant float kPi = 3.14159274f;
constant struct { int a; float4 v; short s[2]; } kRecord = {7, (float4)(1, 2, 3, 4), {-1, -2}};
constant char kText[] = "caldera";
constant int *constant kMiddle = &kTable[3];
constant uint kMatrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
int lookup(constant int *t, int i) { return t[i]; }
// Compound literals as initialisers, as clang and gcc take them.
constant uchar4 kVector = (uchar4){1, 2, 3, 4};
constant struct pair { int x, y; } kPair = (struct pair){1, 2}, kPairs[2] = {(struct pair){3, 4}, {5, (int){6}}};
constant float4 kRows[2] = {(float4)(1), (float4){1, 2, 3, 4}};
constant int kElement = (int[]){7, 8, 9}[1], kMember = (struct pair){10, 11}.y, kFirst = *kTable, kSame = *&kElement;
// Calls of __builtin_ functions with constants.
constant int kBits = __builtin_popcount(7) + __builtin_clz(1) + __builtin_ctzl(8) + __builtin_ffs(16) + __builtin_parity(7);
constant uint kSwapped = __builtin_bswap32(0x12345678), kReversed = __builtin_bitreverse8(3),
              kRotated = __builtin_rotateleft32(0x80000001, 4), kRight = __builtin_rotateright16(0x1, 4);
constant float kSize = __builtin_fabsf(-2.5f), kLarger = __builtin_fmaxf(1, 2), kSign = __builtin_copysignf(3, -0.0f);
constant int kTests[__builtin_expect(3, 1)] = {__builtin_isnan(__builtin_nanf("")), __builtin_isless(1.0f, 2.0f),
                                               __builtin_signbitf(-0.0f) != 0};
// All bits of a NaN are kept, also of one that is not quiet.
constant float kNan = as_float(0x7f800001), kNans[2] = {as_float(0xff812345), -as_float(0x7f812345)};
constant uint kNanBits = as_uint(as_float(0x7f800001)), kNegated = as_uint(-as_float(0xff800002));
constant float2 kTwoNans = as_float2(0x7f800001ff800002ul);
kernel void test_nans(global uint *record, global int *in) {
    constant uint *nans = (constant uint *)kNans, *two = (constant uint *)&kTwoNans;
    ASSERT(0x7f800001, *(constant uint *)&kNan); ASSERT(0xff812345, nans[in[0]]); ASSERT(0xff812345, nans[in[1]]);
    ASSERT(0x7f800001, kNanBits); ASSERT(0x7f800002, kNegated);
    ASSERT(0xff800002, two[in[0]]); ASSERT(0x7f800001, two[in[1]]);
}
kernel void test_constants(global uint *record, global int *in) {
    ASSERT(13, kTable[in[6]]); ASSERT(21, kTable[7]); ASSERT(5, lookup(kTable, in[4]));
    ASSERT_BITS(0x40490fdb, kPi + in[0]);
    ASSERT(7, kRecord.a); ASSERT_BITS(0x40400000, kRecord.v.z); ASSERT(-2, kRecord.s[in[1]]);
    ASSERT('d', kText[in[3]]); ASSERT(8, sizeof(kText));
    ASSERT(5, kMiddle[in[1]]); ASSERT(6, kMatrix[in[1]][in[2]]);
    constant int *p = in[1] ? kTable : kMiddle;
    ASSERT(2, p[in[2]]);
    constant int inner[3] = {10, 20, 30};
    ASSERT(30, inner[in[2]]);
    constant char *s = "string";
    ASSERT('r', s[in[2]]);
}
kernel void test_initialisers(global uint *record) {
    ASSERT(3, kVector.z); ASSERT(2, kPair.y); ASSERT(4, kPairs[0].y); ASSERT(6, kPairs[1].y);
    ASSERT_BITS(0x40800000, kRows[1].w); ASSERT(8, kElement); ASSERT(11, kMember); ASSERT(1, kFirst); ASSERT(8, kSame);
    ASSERT(3 + 31 + 3 + 5 + 1, kBits);
    ASSERT(0x78563412, kSwapped); ASSERT(0xc0, kReversed); ASSERT(0x18, kRotated); ASSERT(0x1000, kRight);
    ASSERT_BITS(0x40200000, kSize); ASSERT_BITS(0x40000000, kLarger); ASSERT_BITS(0xc0400000, kSign);
    ASSERT(1, kTests[0] != 0); ASSERT(1, kTests[1]); ASSERT(1, kTests[2]);
}
kernel void test_argument(global uint *record, constant int *in) { ASSERT(9, in[9]); ASSERT(12, lookup(in, 12)); }
kernel void test_least_long(global uint *record, global int *in) {
    long zero = in[0], least = -9223372036854775808;
    ASSERT(1, least < zero); ASSERT(1, -9223372036854775808 < zero); ASSERT(1, -(9223372036854775808) < -1);
    float below = in[0] - 1e19f;
    ASSERT(1, below < -9223372036854775808); ASSERT(0, (float)in[0] < -9223372036854775808);
    ASSERT(1, -9223372036854775808 / 2 == -4611686018427387904); ASSERT(8, sizeof(-9223372036854775808));
    ASSERT(1, least == LONG_MIN); ASSERT(1, 9223372036854775808 > 9223372036854775807);
}
