// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// What compilers recognise and may get wrong: counts, negations and saturations of integers that are not 32 bits wide, in
// kernels that divide 64-bit integers, which brings another optimiser of NVIDIA's into play.
#include "assert.h"

// 1.13.3-17: popcount; `bytes` is 0xf0, 0x80, 1, 0xff
kernel void test_counts(global uint *record, global int *in, global uint *out) {
    global char *bytes = (global char *)out;
    global short *shorts = (global short *)out;
    out[0] = in[1] ? 0xff0180f0 : 0;
    out[2] = 0x8000fff0 + in[0];
    ASSERT_LONG(7, (ulong)(in[7] * 0x100000000l) / (0x100000000l | in[0]));
    ASSERT(4, popcount(bytes[in[0]])); ASSERT(1, popcount(bytes[in[1]])); ASSERT(8, popcount(bytes[in[3]]));
    ASSERT_LONG(8, (long)popcount(bytes[in[3]])); ASSERT_LONG(12, (long)popcount(shorts[in[4]]));
    ASSERT(1, popcount((ushort)shorts[in[5]])); ASSERT(24 + 1, popcount((int)bytes[in[1]]));
}

kernel void test_negations(global uint *record, global int *in, global uint *out) {
    global char *bytes = (global char *)out;
    global short *shorts = (global short *)out;
    out[0] = in[1] ? 0x80007f80 : 0;
    const char c = bytes[in[0]], d = bytes[in[1]];
    const short s = shorts[in[1]];
    char minus = -c, other = 0 - c, times = c * -1, inverted = ~c + 1, chosen = c < 0 ? -c : c;
    short minus_s = -s, times_s = s * -1;
    ASSERT(-128, minus); ASSERT(-128, other); ASSERT(-128, times); ASSERT(-128, inverted); ASSERT(-128, chosen);
    ASSERT_LONG(-128, (long)minus); ASSERT(128, (uchar)minus); ASSERT(1, minus < 5); ASSERT(-127, (char)-d);
    ASSERT(-32768, minus_s); ASSERT_LONG(-32768, (long)times_s); ASSERT(32768, (ushort)minus_s);
    ASSERT_BITS(0xc3000000, (float)minus); ASSERT(-43, minus / 3 - 1);
}

// Negated before they become narrow
kernel void test_narrowed_negations(global uint *record, global int *in) {
    const int a = in[128], b = in[15360] + in[1024] * 17;  // 32,768
    const long l = (long)in[640];
    char minus = -a, other = 256 - a, inverted = ~a + 1, times = a * 255, of_long = -l;
    short minus_s = -b, other_s = 65536 - b;
    ASSERT_LONG(-128, (long)minus); ASSERT_LONG(-128, (long)other); ASSERT_LONG(-128, (long)inverted);
    ASSERT_LONG(-128, (long)times); ASSERT_LONG(-128, (long)of_long);
    ASSERT_LONG(-32768, (long)minus_s); ASSERT_LONG(-32768, (long)other_s);
    ASSERT(-128, max(minus, (char)-128)); ASSERT(5, max(minus, (char)5)); ASSERT(-32768, min(minus_s, (short)7));
    char2 pair = convert_char2(-(int2)(a, in[3]));
    ASSERT(-1, (pair < (char2)5).x); ASSERT(-64, (pair >> (char2)1).x); ASSERT(-25, (pair / (char2)5).x);
    short2 shorts = convert_short2(-(int2)(b, in[3]));
    ASSERT(-1, (shorts < (short2)5).x); ASSERT(-16384, (shorts >> (short2)1).x); ASSERT(-3, shorts.y);
    ASSERT_BITS(0xc3000000, (float)minus); ASSERT_BITS(0xc7000000, (float)minus_s);
}

kernel void test_saturations(global uint *record, global int *in) {
    const ulong big = ~0ul - in[5], small = in[3], quotient = big / (in[7] | 1), sum = big + in[7], fine = big + small;
    ASSERT_LONG(0x2492492492492491ul, quotient);
    ASSERT_LONG(~0ul, sum < big ? ~0ul : sum); ASSERT_LONG(~0ul - 2, fine < big ? ~0ul : fine);
    ASSERT_LONG(0, small > big ? small - big : 0); ASSERT_LONG(~0ul - 8, big > small ? big - small : 0);
    ASSERT_LONG(~0ul, add_sat(big, (ulong)in[7])); ASSERT_LONG(0, sub_sat(small, big));
    ulong branched = 0;
    if (big > small) branched = big - small;
    ASSERT_LONG(~0ul - 8, branched);
    branched = sum;
    if (sum < big) branched = ~0ul;
    ASSERT_LONG(~0ul, branched);
    const uchar c = 250 + in[0], e = add_sat(c, (uchar)in[7]);
    ASSERT(255, e); ASSERT(0xff ^ 0x55, e ^ (uchar)0x55); ASSERT(0, sub_sat((uchar)in[7], c));
    ASSERT(65535, add_sat((ushort)(65530 + in[0]), (ushort)in[7]));
}

// The low half alone, of numbers beyond 32 bits
kernel void test_conversions(global uint *record, global int *in) {
    const float f = (float)in[3] * 0x1p33f, g = (float)in[1] * 0x1.000002p33f;
    ASSERT(0, (ulong)f); ASSERT(6, (ulong)f >> 32); ASSERT(1024, (ulong)g); ASSERT(1024, (ushort)(ulong)g);
    ASSERT_LONG(0x8000000000000000ul, (ulong)((float)in[1] * 0x1p63f)); ASSERT_LONG(0, (ulong)(in[1] * 0.75f));
    ASSERT_LONG(~0ul, convert_ulong_sat((float)in[1] * 0x1p64f)); ASSERT_LONG(0, convert_ulong_sat(in[3] * -1.5f));
    ASSERT_LONG(4, convert_ulong_rte(in[3] + 0.5f)); ASSERT_LONG(5, convert_ulong_rtp(in[4] + 0.25f));
}

// Mesa's compiler compares an extended int with a 64-bit constant in 32 bits, and takes the least int for a positive number
// there. It sees through the choice between equal components, which the translator does not. 1.3.4-1
kernel void test_long_comparisons(global uint *record, global int *in, global uint *out) {
    for (int sign = -1; sign <= 1; sign += 2) {
        const long x = in[5] * sign;
        const long2 pair = x;
        const long y = shuffle(pair, (ulong2)(in[0], in[1])).x;
        ASSERT(sign < 0, y < 0); ASSERT(sign < 0, y <= 4); ASSERT(1, y < 6); ASSERT(0, y < -5); ASSERT(sign > 0, -5 < y);
        ASSERT(sign > 0, y > 0); ASSERT(sign > 0, y >= 5); ASSERT(0, y > 5); ASSERT(1, y >= -5); ASSERT(sign < 0, y <= -5);
        ASSERT(1, y < 0x80000000l); ASSERT(0, y > 0x80000000l); ASSERT(1, y > -0x80000000l); ASSERT(0, y <= -0x80000001l);
    }
}

// Mesa finds that one operand is a constant or an extended int only after it has unrolled the loops, or has followed
// the stores to private memory. 1.3.4-1
kernel void test_long_comparisons_in_turns(global uint *record, global int *in, global uint *out) {
    long limits[4];
    for (int i = 0; i < 4; ++i) limits[i] = 20l * i - 25;
    uint less = 0, more = 0, kept = 0, counted = 0, scaled = 0, least = 0;
    for (int i = 0; i < 4; ++i) {
        less |= (in[5] - 10 < 20l * i - 25) << i;
        more |= (in[5] >= i * 20l - 5) << i;
        kept |= (-in[5] <= limits[i]) << i;
        least |= (min((long)in[7], 20l * i - 25) == in[7]) << i;
    }
    for (long i = -2; i < 2; ++i) {
        counted |= (i < (long)-in[1]) << (i + 2);
        scaled |= (in[3] * i > -3) << (i + 2);
    }
    ASSERT(12, less); ASSERT(1, more); ASSERT(14, kept); ASSERT(12, least); ASSERT(1, counted); ASSERT(12, scaled);
    uint walked = 0;
    for (long i = -in[2]; i < 3; ++i) walked += i < 5;
    ASSERT(5, walked);
    long first = in[4];
    do { ASSERT(1, first < 5); ASSERT(0, first > 5); ++first; } while (false);
}
