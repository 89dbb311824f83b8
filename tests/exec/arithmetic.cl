// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, wrong-idioms
// Scalar operators: 1.3.1-1, 1.3.2-1, 1.3.3-1, 1.3.6-1, 1.3.10-1, 1.3.15-1.
#include "assert.h"
kernel void test_integers(global uint *record, global int *in) {
    int three = in[3], four = in[4];
    ASSERT(7, three + four);
    ASSERT(-1, three - four);
    ASSERT(12, three * four);
    ASSERT(-2, (-three - 5) / four);
    ASSERT(-1, -(three + 2) % four);
    ASSERT(0xfffffffc, ~three);
    ASSERT(0, three & four);
    ASSERT(7, three | four);
    ASSERT(4 ^ 3 ^ 5, three ^ four ^ 5);
    ASSERT(-4, ~three);
    ASSERT(1, (long)-three < 0); ASSERT(1, (long)-three <= -3L); ASSERT(0, (long)-three > 7); ASSERT(1, 0 > (long)-three);
    ASSERT(0, (long)(uint)-three < 0); ASSERT(1, (ulong)(long)-three > 5);
    ASSERT(1, !in[0]);
    ASSERT(0, !three);
    ASSERT(48, three << four);
    ASSERT(-1, (-8) >> (four + 1));
    ASSERT(0x0fffffff, 0xffffffffu >> four);
    ASSERT(6, three << (in[33]));           // the count is taken modulo the width (6.3.j)
    ASSERT(three, three++);
    ASSERT(4, three);
    ASSERT(5, ++three);
    ASSERT(5, three--);
    ASSERT(3, --three);
    three += 10; ASSERT(13, three);
    three -= 3; ASSERT(10, three);
    three *= 3; ASSERT(30, three);
    three /= 4; ASSERT(7, three);
    three %= 4; ASSERT(3, three);
    three <<= 3; ASSERT(24, three);
    three >>= 1; ASSERT(12, three);
    three |= 3; ASSERT(15, three);
    three &= 6; ASSERT(6, three);
    three ^= 5; ASSERT(3, three);
}
kernel void test_narrow(global uint *record, global int *in) {
    char c = in[200];
    uchar u = in[200];
    ASSERT(-56, c);
    ASSERT(200, u);
    u += 100;
    ASSERT(44, u);
    ASSERT(400, (uchar)in[200] + (uchar)in[200]);   // promoted to int
    c = in[127]; c++;
    ASSERT(-128, c);
    short s = in[16000] * 3;
    ASSERT(48000 - 65536, s);
    ushort us = in[0]; us--;
    ASSERT(65535, us);
    bool b = in[17];
    ASSERT(1, b);
    ASSERT(1, (bool)0.5f);
    ASSERT(0, (bool)in[0]);
}
kernel void test_long(global uint *record, global int *in) {
    long a = (long)in[5] << 40;
    ASSERT_LONG(5l << 40, a);
    ASSERT_LONG((5l << 40) - 7, a - in[7]);
    ASSERT_LONG((25l << 40), a * 5);
    ASSERT_LONG((1l << 40), a / in[5]);
    ASSERT_LONG(-(5l << 40), -a);
    ulong u = ~0ul;
    ASSERT_LONG(0x0ffffffffffffffful, u >> in[4]);
    ASSERT_LONG(-1l, (-16l) >> (in[60]));
    ASSERT_LONG(3ul, u % (ulong)in[4]);
    ASSERT(1, a > in[7]);
    ASSERT(0, a == 5);
    size_t n = sizeof(long) * in[3];
    ASSERT_LONG(24, n);
}
kernel void test_float(global uint *record, global int *in) {
    float two = in[2], three = in[3];
    ASSERT_BITS(0x40a00000, two + three);
    ASSERT_BITS(0xbf800000, two - three);
    ASSERT_BITS(0x40c00000, two * three);
    ASSERT_BITS(0x3fc00000, three / two);
    ASSERT_BITS(0xc0000000, -two);
    ASSERT(1, two < three);
    ASSERT(0, two >= three);
    ASSERT(1, two != three);
    float nan = as_float(0x7fc00000 | in[0]);
    ASSERT(0, nan == nan);
    ASSERT(1, nan != nan);
    ASSERT(0, nan < two);
    ASSERT(2, (int)2.9f);
    ASSERT(-2, (int)(-(two + 0.9f)));
    two += 0.5f; ASSERT_BITS(0x40200000, two);
    two++; ASSERT_BITS(0x40600000, two);
}
// The sum of zeros of both signs is +0, and only that of two -0 is -0.
kernel void test_zero_sums(global uint *record, global int *in) {
    float zero = in[0], minus = as_float(0x80000000u | in[0]);
    ASSERT_BITS(0, zero + 0.0f); ASSERT_BITS(0, minus + 0.0f); ASSERT_BITS(0, 0.0f + minus); ASSERT_BITS(0, 0.0f - zero);
    ASSERT_BITS(0, 0.0f - minus); ASSERT_BITS(0x80000000, minus + -0.0f); ASSERT_BITS(0x80000000, minus - 0.0f);
    ASSERT_BITS(0x80000000, -0.0f - zero); ASSERT_BITS(0xc0400000, 0.0f - (zero + 3)); ASSERT_BITS(0, minus - minus);
    float4 whole = rint(ceil(convert_float4((uint4)(1024, 5, 6, 2048) & 1023u))) - (float4)(minus, in[5], zero, zero);
    ASSERT_BITS(0, whole.x); ASSERT_BITS(0, whole.y); ASSERT_BITS(0x40c00000, whole.z); ASSERT_BITS(0, whole.w);
    float2 mixed = (float2)(0.0f, -0.0f) + (float2)(minus, minus);
    ASSERT_BITS(0, mixed.x); ASSERT_BITS(0x80000000, mixed.y);
#ifdef cl_khr_fp64
    double large = as_double((ulong)in[0] | 0x8000000000000000ul);
    ASSERT_LONG(0, as_ulong(large + 0.0)); ASSERT_LONG(0, as_ulong(0.0 - (double)in[0]));
#endif
}
kernel void test_zero_products(global uint *record, global int *in) {
    float zero = in[0], minus = as_float(0x80000000u | in[0]), infinity = as_float(0x7f800000 | in[0]);
    ASSERT_BITS(0, zero * 0.0f); ASSERT_BITS(0x80000000, minus * 0.0f); ASSERT_BITS(0x80000000, 0.0f * -(zero + 2));
    ASSERT(1, isnan(infinity * 0.0f)); ASSERT(1, isnan(0.0f / zero)); ASSERT(1, isnan(0.0f * nan(in[1] + 0u)));
    ASSERT_BITS(0x80000000, 0.0f / (zero - 3)); ASSERT_BITS(0, 0.0f / infinity);
    ASSERT_BITS(0, fabs(-0.0f * (zero + 2))); ASSERT_BITS(0, fabs(sqrt(minus))); ASSERT_BITS(0, fabs(fmax(minus, minus)));
    float2 mixed = (float2)(0.0f, 2.0f) * (float2)(minus, zero + 3);
    ASSERT_BITS(0x80000000, mixed.x); ASSERT_BITS(0x40c00000, mixed.y);
#ifdef cl_khr_fp64
    double large = in[0] - 1;
    ASSERT_LONG(0x8000000000000000ul, as_ulong(large * 0.0)); ASSERT_LONG(0x8000000000000000ul, as_ulong(0.0 / large));
#endif
}
// The least integer divided by -1 is whatever, but must not end the process. Here, it is itself, and nothing remains.
#define OF_QUOTIENTS(T, LEAST)                                                                            \
    kernel void test_quotients_##T(global uint *record, global const int *in) {                           \
        T##3 a = (T##3)(LEAST, 7, LEAST), b = (T##3)(-1, 2, 1), q = a / b, r = a % b;                     \
        ASSERT_LONG(LEAST, q.x); ASSERT(3, q.y); ASSERT_LONG(LEAST, q.z); ASSERT(0, r.x); ASSERT(1, r.y); \
        T least = LEAST, one = -1 - (T)get_local_id(1), again = LEAST, parts[2] = {-1, 3};                \
        ASSERT_LONG(LEAST, (T)(least / one)); ASSERT(0, (T)(least % one));                                \
        for (int i = 0; i < 2; ++i) again /= parts[i];                                                    \
        ASSERT_LONG(LEAST / 3, again);                                                                    \
        T##3 c = (T##3)(LEAST) / (T##3)(-1 - in[0], in[1], in[2]);                                        \
        ASSERT_LONG(LEAST, c.y); ASSERT_LONG(LEAST / 2, c.z);                                             \
    }
OF_QUOTIENTS(char, CHAR_MIN)
OF_QUOTIENTS(short, SHRT_MIN)
OF_QUOTIENTS(int, INT_MIN)
OF_QUOTIENTS(long, LONG_MIN)
