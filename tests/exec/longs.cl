// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// Arithmetic on 64-bit integers, whose results Python has computed; devices without them use pairs of 32-bit ones.
#include "assert.h"

// a, b, a * b, a / b, a % b, signed a / b and a % b, a << b, a >> b, signed a >> b, mul_hi, signed mul_hi,
// comparisons with clz(a) and popcount(a), (float)a with signed (float)a above it
constant ulong rows[][14] = {
    {0x0u, 0x3u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x408bu, 0x0u},
    {0x1u, 0xfedcba9876543210u, 0xfedcba9876543210u, 0x0u, 0x1u, 0x0u, 0x1u, 0x10000u, 0x0u, 0x0u, 0x0u, 0xffffffffffffffffu, 0x13fb9u, 0x3f8000003f800000u},
    {0x2u, 0x100000001u, 0x200000002u, 0x0u, 0x2u, 0x0u, 0x2u, 0x4u, 0x1u, 0x1u, 0x0u, 0x0u, 0x13e8bu, 0x4000000040000000u},
    {0x3u, 0x1000001800000000u, 0x3000004800000000u, 0x0u, 0x3u, 0x0u, 0x3u, 0x3u, 0x3u, 0x3u, 0x0u, 0x0u, 0x23e8bu, 0x4040000040400000u},
    {0x7u, 0x1000001800000000u, 0x700000a800000000u, 0x0u, 0x7u, 0x0u, 0x7u, 0x7u, 0x7u, 0x7u, 0x0u, 0x0u, 0x33d8bu, 0x40e0000040e00000u},
    {0x1fu, 0x1fu, 0x3c1u, 0x1u, 0x0u, 0x1u, 0x0u, 0xf80000000u, 0x0u, 0x0u, 0x0u, 0x0u, 0x53b2cu, 0x41f8000041f80000u},
    {0xffffffffu, 0x7fffffffffffffffu, 0x7fffffff00000001u, 0x0u, 0xffffffffu, 0x0u, 0xffffffffu, 0x8000000000000000u, 0x0u, 0x0u, 0x7fffffffu, 0x7fffffffu, 0x20208bu, 0x4f8000004f800000u},
    {0x100000000u, 0x1000001800000000u, 0x0u, 0x0u, 0x100000000u, 0x0u, 0x100000000u, 0x100000000u, 0x100000000u, 0x100000000u, 0x10000018u, 0x10000018u, 0x11f8bu, 0x4f8000004f800000u},
    {0x100000001u, 0x8du, 0x8d0000008du, 0x1d0cb58u, 0x89u, 0x1d0cb58u, 0x89u, 0x200000002000u, 0x80000u, 0x80000u, 0x0u, 0x0u, 0x21ff0u, 0x4f8000004f800000u},
    {0x1ffffffffu, 0x280000001u, 0xffffffff7fffffffu, 0x0u, 0x1ffffffffu, 0x0u, 0x1ffffffffu, 0x3fffffffeu, 0xffffffffu, 0xffffffffu, 0x4u, 0x4u, 0x211f8bu, 0x5000000050000000u},
    {0x7fffffffffffffffu, 0xffffffff00000000u, 0x100000000u, 0x0u, 0x7fffffffffffffffu, 0xffffffff80000001u, 0xffffffffu, 0x7fffffffffffffffu, 0x7fffffffffffffffu, 0x7fffffffffffffffu, 0x7fffffff7fffffffu, 0xffffffff80000000u, 0x3f01b9u, 0x5f0000005f000000u},
    {0x8000000000000000u, 0x100000001u, 0x8000000000000000u, 0x7fffffffu, 0x80000001u, 0xffffffff80000001u, 0xffffffff7fffffffu, 0x0u, 0x4000000000000000u, 0xc000000000000000u, 0x80000000u, 0xffffffff7fffffffu, 0x100c2u, 0xdf0000005f000000u},
    {0x8000000000000001u, 0x57ee05cde00902c7u, 0xd7ee05cde00902c7u, 0x1u, 0x2811fa321ff6fd3au, 0xffffffffffffffffu, 0xd7ee05cde00902c8u, 0x80u, 0x100000000000000u, 0xff00000000000000u, 0x2bf702e6f0048163u, 0xd408fd190ffb7e9cu, 0x200c2u, 0xdf0000005f000000u},
    {0xffffffffffffffffu, 0xfedcba9876543210u, 0x123456789abcdf0u, 0x1u, 0x123456789abcdefu, 0x0u, 0xffffffffffffffffu, 0xffffffffffff0000u, 0xffffffffffffu, 0xffffffffffffffffu, 0xfedcba987654320fu, 0x0u, 0x4000f0u, 0xbf8000005f800000u},
    {0xfffffffffffffff9u, 0x123456789abcdef0u, 0x8091a2b3c4d5e770u, 0xeu, 0x123456789abced9u, 0x0u, 0xfffffffffffffff9u, 0xfff9000000000000u, 0xffffu, 0xffffffffffffffffu, 0x123456789abcdeefu, 0xffffffffffffffffu, 0x3e00c2u, 0xc0e000005f800000u},
    {0xffffffff00000000u, 0x280000001u, 0x7fffffff00000000u, 0x66666665u, 0x21999999bu, 0x0u, 0xffffffff00000000u, 0xfffffffe00000000u, 0x7fffffff80000000u, 0xffffffff80000000u, 0x27ffffffeu, 0xfffffffffffffffdu, 0x2000c2u, 0xcf8000005f800000u},
    {0x123456789abcdef0u, 0x8000000000000001u, 0x123456789abcdef0u, 0x0u, 0x123456789abcdef0u, 0x0u, 0x123456789abcdef0u, 0x2468acf13579bde0u, 0x91a2b3c4d5e6f78u, 0x91a2b3c4d5e6f78u, 0x91a2b3c4d5e6f78u, 0xf6e5d4c3b2a19088u, 0x2003b9u, 0x5d91a2b45d91a2b4u},
    {0xfedcba9876543210u, 0x3u, 0xfc962fc962fc9630u, 0x54f43e32d21c10b0u, 0x0u, 0xff9ee8dd7cc6bb5bu, 0xffffffffffffffffu, 0xf6e5d4c3b2a19080u, 0x1fdb97530eca8642u, 0xffdb97530eca8642u, 0x2u, 0xffffffffffffffffu, 0x2000c2u, 0xdb91a2b45f7edcbbu},
    {0x280000001u, 0xfu, 0x258000000fu, 0x2aaaaaaau, 0xbu, 0x2aaaaaaau, 0xbu, 0x1400000008000u, 0x50000u, 0x50000u, 0x0u, 0x0u, 0x31ef0u, 0x5020000050200000u},
    {0x1000001800000000u, 0xffffffffffffffffu, 0xefffffe800000000u, 0x0u, 0x1000001800000000u, 0xefffffe800000000u, 0x0u, 0x0u, 0x0u, 0x0u, 0x10000017ffffffffu, 0xffffffffffffffffu, 0x303b9u, 0x5d8000015d800001u},
    {0x1000001800000001u, 0xffffffff00000000u, 0xffffffff00000000u, 0x0u, 0x1000001800000001u, 0xffffffffefffffe8u, 0x1u, 0x1000001800000001u, 0x1000001800000001u, 0x1000001800000001u, 0x10000017efffffe8u, 0xffffffffefffffe7u, 0x403b9u, 0x5d8000015d800001u},
    {0xffffff80000000u, 0x2u, 0x1ffffff00000000u, 0x7fffffc0000000u, 0x0u, 0x7fffffc0000000u, 0x0u, 0x3fffffe00000000u, 0x3fffffe0000000u, 0x3fffffe0000000u, 0x0u, 0x0u, 0x1908f0u, 0x5b8000005b800000u},
    {0x1ffffffffu, 0xffffffffffffffffu, 0xfffffffe00000001u, 0x0u, 0x1ffffffffu, 0xfffffffe00000001u, 0x0u, 0x8000000000000000u, 0x0u, 0x0u, 0x1fffffffeu, 0xffffffffffffffffu, 0x211fb9u, 0x5000000050000000u},
    {0xeab477d26415479cu, 0xffffffff00000000u, 0x9beab86400000000u, 0x0u, 0xeab477d26415479cu, 0x154b882du, 0xffffffff6415479cu, 0xeab477d26415479cu, 0xeab477d26415479cu, 0xeab477d26415479cu, 0xeab477d17960cfc9u, 0x154b882du, 0x21008bu, 0xddaa5c415f6ab478u},
    {0x100000001u, 0x280000001u, 0x8000000380000001u, 0x0u, 0x100000001u, 0x0u, 0x100000001u, 0x200000002u, 0x80000000u, 0x80000000u, 0x2u, 0x2u, 0x21f8bu, 0x4f8000004f800000u},
    {0xffffffffffffffffu, 0xffffffffffffffffu, 0x1u, 0x1u, 0x0u, 0x1u, 0x0u, 0x8000000000000000u, 0x1u, 0xffffffffffffffffu, 0xfffffffffffffffeu, 0x0u, 0x40002cu, 0xbf8000005f800000u},
    {0x7u, 0x1fu, 0xd9u, 0x0u, 0x7u, 0x0u, 0x7u, 0x380000000u, 0x0u, 0x0u, 0x0u, 0x0u, 0x33d8bu, 0x40e0000040e00000u},
    {0x100000000u, 0x7du, 0x7d00000000u, 0x20c49bau, 0x2eu, 0x20c49bau, 0x2eu, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x11ff0u, 0x4f8000004f800000u},
    {0x100000001u, 0xfffffffffffffff9u, 0xfffffff8fffffff9u, 0x0u, 0x100000001u, 0xffffffffdb6db6dcu, 0x5u, 0x200000000000000u, 0x0u, 0x0u, 0x100000000u, 0xffffffffffffffffu, 0x21fb9u, 0x4f8000004f800000u},
    {0x1000001800000000u, 0x2020f3fe39c1u, 0xefd56a1800000000u, 0x7f7cu, 0x1716b2354784u, 0x7f7cu, 0x1716b2354784u, 0x2000003000000000u, 0x800000c00000000u, 0x800000c00000000u, 0x2020f42e6b2u, 0x2020f42e6b2u, 0x303f0u, 0x5d8000015d800001u},
    {0x1000001800000000u, 0x75u, 0x50000af800000000u, 0x23023057857857u, 0x3du, 0x23023057857857u, 0x3du, 0x0u, 0x80u, 0x80u, 0x7u, 0x7u, 0x303f0u, 0x5d8000015d800001u},
    {0xffffff80000000u, 0xffffffffffffffffu, 0xff00000080000000u, 0x0u, 0xffffff80000000u, 0xff00000080000000u, 0x0u, 0x0u, 0x0u, 0x0u, 0xffffff7fffffffu, 0xffffffffffffffffu, 0x1908b9u, 0x5b8000005b800000u},
    {0x1000001800000001u, 0x3u, 0x3000004800000003u, 0x555555d55555555u, 0x2u, 0x555555d55555555u, 0x2u, 0x800000c000000008u, 0x200000300000000u, 0x200000300000000u, 0x0u, 0x0u, 0x403f0u, 0x5d8000015d800001u},
    {0xfffffffffffffff9u, 0x1000001800000001u, 0x8fffff57fffffff9u, 0xfu, 0xffffe97ffffffeau, 0x0u, 0xfffffffffffffff9u, 0xfffffffffffffff2u, 0x7ffffffffffffffcu, 0xfffffffffffffffcu, 0x1000001800000000u, 0xffffffffffffffffu, 0x3e00c2u, 0xc0e000005f800000u},
    {0x0u, 0x8000000000000001u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x40b9u, 0x0u},
    {0x2u, 0x1fu, 0x3eu, 0x0u, 0x2u, 0x0u, 0x2u, 0x100000000u, 0x0u, 0x0u, 0x0u, 0x0u, 0x13e8bu, 0x4000000040000000u},
    {0x8000000000000000u, 0x7u, 0x8000000000000000u, 0x1249249249249249u, 0x1u, 0xedb6db6db6db6db7u, 0xffffffffffffffffu, 0x0u, 0x100000000000000u, 0xff00000000000000u, 0x3u, 0xfffffffffffffffcu, 0x100c2u, 0xdf0000005f000000u},
    {0xfffffffffffffff9u, 0x3u, 0xffffffffffffffebu, 0x5555555555555553u, 0x0u, 0xfffffffffffffffeu, 0xffffffffffffffffu, 0xffffffffffffffc8u, 0x1fffffffffffffffu, 0xffffffffffffffffu, 0x2u, 0xffffffffffffffffu, 0x3e00c2u, 0xc0e000005f800000u},
    {0x1a28f7b324e4e25au, 0x123456789abcdef0u, 0x3692b06170f64060u, 0x1u, 0x7f4a13a8a28036au, 0x1u, 0x7f4a13a8a28036au, 0xe25a000000000000u, 0x1a28u, 0x1a28u, 0x1dc3a92ff35d2a6u, 0x1dc3a92ff35d2a6u, 0x1f03f0u, 0x5dd147be5dd147beu},
    {0x1fu, 0xfedcba9876543210u, 0xdcba987654320ff0u, 0x0u, 0x1fu, 0x0u, 0x1fu, 0x1f0000u, 0x0u, 0x0u, 0x1eu, 0xffffffffffffffffu, 0x53bb9u, 0x41f8000041f80000u},
};

kernel void test_scalars(global uint *record, global int *in) {
    for (int i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        constant ulong *row = rows[i + in[0]];
        ulong a = row[0], b = row[1];
        long sa = a, sb = b;
        uint n = (uint)b & 63;
        ASSERT_LONG(row[2], a * b); ASSERT_LONG(row[3], a / b); ASSERT_LONG(row[4], a % b);
        ASSERT_LONG(row[5], sa / sb); ASSERT_LONG(row[6], sa % sb);
        ASSERT_LONG(row[7], a << n); ASSERT_LONG(row[8], a >> n); ASSERT_LONG(row[9], sa >> n);
        ASSERT_LONG(row[10], mul_hi(a, b)); ASSERT_LONG(row[11], mul_hi(sa, sb));
        uint order = (a < b) | (sa < sb) << 1 | (a == b) << 2 | (a <= b) << 3 | (sa > sb) << 4 | (sa >= sb) << 5 |
                     (a > b) << 6 | (a != b) << 7;
        ASSERT(row[12], order | (uint)clz(a) << 8 | (uint)popcount(a) << 16);
        ASSERT(row[13], as_uint((float)a)); ASSERT(row[13] >> 32, as_uint((float)sa));
        ASSERT_LONG(row[4], a - row[3] * b); ASSERT_LONG(0, a + -a); ASSERT_LONG(~0ul, a | ~a);
        ASSERT_LONG(row[7], a << (b & 63)); ASSERT_LONG(a, (a << 40 >> 40) + (a >> 24 << 24));
        ASSERT_LONG(sa < 0 ? -a : a, abs(sa)); ASSERT_LONG(a < b ? a : b, min(a, b));
        ASSERT_LONG(sa < sb ? sb : sa, max(sa, sb));
    }
}

// The middle between two floats, alone and with one bit below it, which decides: (float)a with signed (float)a above it.
constant ulong halfway[][2] = {
    {0x8000008000000000u, 0xdeffffff5f000000u}, {0x8000008000000001u, 0xdeffffff5f000001u},
    {0x8000008000000002u, 0xdeffffff5f000001u}, {0x8000008040000000u, 0xdeffffff5f000001u},
    {0x8000008080000000u, 0xdeffffff5f000001u}, {0x8000008100000000u, 0xdeffffff5f000001u},
    {0x8000008200000000u, 0xdeffffff5f000001u}, {0x8000008400000000u, 0xdeffffff5f000001u},
    {0x800000c000000000u, 0xdefffffe5f000001u}, {0x4000004000000000u, 0x5e8000005e800000u},
    {0x4000004000000001u, 0x5e8000015e800001u}, {0x4000004000000002u, 0x5e8000015e800001u},
    {0x4000004040000000u, 0x5e8000015e800001u}, {0x4000004080000000u, 0x5e8000015e800001u},
    {0x4000004100000000u, 0x5e8000015e800001u}, {0x4000004200000000u, 0x5e8000015e800001u},
    {0x4000004400000000u, 0x5e8000015e800001u}, {0x4000006000000000u, 0x5e8000015e800001u},
    {0x2000002000000000u, 0x5e0000005e000000u}, {0x2000002000000001u, 0x5e0000015e000001u},
    {0x2000002000000002u, 0x5e0000015e000001u}, {0x2000002040000000u, 0x5e0000015e000001u},
    {0x2000002080000000u, 0x5e0000015e000001u}, {0x2000002100000000u, 0x5e0000015e000001u},
    {0x2000002200000000u, 0x5e0000015e000001u}, {0x2000002400000000u, 0x5e0000015e000001u},
    {0x2000003000000000u, 0x5e0000015e000001u}, {0x200000200u, 0x5000000050000000u},
    {0x200000201u, 0x5000000150000001u}, {0x200000202u, 0x5000000150000001u}, {0x200000300u, 0x5000000150000001u},
    {0x100000100u, 0x4f8000004f800000u}, {0x100000101u, 0x4f8000014f800001u}, {0x100000102u, 0x4f8000014f800001u},
    {0x100000180u, 0x4f8000014f800001u}, {0x80000080u, 0x4f0000004f000000u}, {0x80000081u, 0x4f0000014f000001u},
    {0x80000082u, 0x4f0000014f000001u}, {0x800000c0u, 0x4f0000014f000001u},
};

kernel void test_halfway(global uint *record, global int *in) {
    for (int i = 0; i < sizeof(halfway) / sizeof(halfway[0]); ++i) {
        constant ulong *row = halfway[i + in[0]];
        ASSERT(row[1], as_uint((float)row[0])); ASSERT(row[1] >> 32, as_uint((float)(long)row[0]));
        ASSERT(row[1] ^ 0x80000000, as_uint(convert_float2((ulong2)(row[0], 7)).x) ^ 0x80000000);
    }
}

kernel void test_vectors(global uint *record, global int *in, global int *out) {
    for (int i = 0; i + 4 <= sizeof(rows) / sizeof(rows[0]); i += 4) {
        ulong4 a = {rows[i][0], rows[i + 1][0], rows[i + 2][0], rows[i + 3][0]};
        ulong4 b = {rows[i][1], rows[i + 1][1], rows[i + 2][1], rows[i + 3][1]};
        ulong4 product = a * b, quotient = a / b, shifted = a << (b & 63), less = as_ulong4(a < b);
        long4 remainder = as_long4(a) % as_long4(b);
        ulong8 both = (ulong8)(product, quotient);
        vstore4(shifted, in[2], (global ulong *)out);
        ulong4 back = vload4(in[2], (global ulong *)out);
        back[in[3]] += 1;
        for (int j = 0; j < 4; ++j) {
            ASSERT_LONG(rows[i + j][2], product[j]); ASSERT_LONG(rows[i + j][3], both[j + 4 + in[0]]);
            ASSERT_LONG(rows[i + j][6], remainder[j]); ASSERT_LONG(rows[i + j][7] + (j == 3), back[j]);
            ASSERT_LONG(rows[i + j][12] & 1 ? ~0ul : 0, less[j]);
        }
        ASSERT_LONG(rows[i + 2][0], a.wzyx.y); ASSERT_LONG(rows[i][1], b.even.x);
        ASSERT(rows[i + 1][0], as_uint8(a).s2); ASSERT(rows[i + 3][0] >> 32, as_uint8(a).s7);
    }
}

ulong twice(ulong x) { return x * 2; }
typedef struct { char c; ulong l; ulong2 v[2]; } Mixed;

kernel void test_values(global uint *record, global int *in, local ulong *scratch) {
    int picked = 0;
    switch ((ulong)in[5] << 32 | 7) {
        case 7: picked = 1; break;
        case 0x500000007ul: picked = 2; break;
        case 0x500000008ul: picked = 3; break;
    }
    ASSERT(2, picked);
    Mixed m = {1, in[3], {{in[4], in[5]}, {in[6], in[7]}}};
    m.v[in[1]].y += 0x100000000ul;
    scratch[in[1]] = m.v[1].y;
    ASSERT_LONG(0x100000007ul, scratch[in[1]]); ASSERT_LONG(0x200000014ul, twice(scratch[1] + m.l));
    ASSERT_LONG(0xfffffffffffffffbul, (long)-in[5]); ASSERT_LONG(0xfffffffbul, (ulong)(uint)-in[5]);
    ASSERT_LONG(-3, (long)(float)(-in[3] - 0.5f)); ASSERT_LONG(1ul << 60, (ulong)((float)in[1] * 0x1p60f));
    ASSERT_LONG(0x8000000000000000ul, (ulong)((float)in[1] * 0x1p63f));
    ASSERT_LONG(-0x123456ll << 40, (long)((float)-in[1] * 0x1.23456p60f));
    ulong sum = 0;
    for (ulong i = 0xfffffffful; i < 0x100000003ul; ++i) sum += i;
    ASSERT_LONG(0x400000002ul, sum);
    ASSERT_LONG(0x0000000700000003ul, upsample((uint)in[7], (uint)in[3]));
    ASSERT_LONG(5, hadd((ulong)in[4], (ulong)in[7])); ASSERT_LONG(~0ul, add_sat(~0ul, (ulong)in[1]));
    ASSERT_LONG(0x7ffffffffffffffful, convert_long_sat((float)in[1] * 1e30f));
    ASSERT_LONG(0x2000000010000000ul, rotate((ulong)0x1000000020000000ul, (ulong)(in[1] * 32 + in[0])));
}
