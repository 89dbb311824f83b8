// SPDX-License-Identifier: Apache-2.0
// Sums and products of char and short, computed in int and truncated at each step, which may be done without the
// extensions in between: as values, as indices, compared, and with operands that have more bits.
#include "assert.h"
#define CHAIN(T, name)                                                                                     \
    T name##_chain(T x, T y) {                                                                             \
        for (int i = 0; i < 4; i++) {                                                                      \
            x = x * y + y; y = y * x - x; x = (x ^ y) & ~y; x += (y << 3) | 5; y = -x + 77; y *= x;        \
        }                                                                                                  \
        return x ^ y;                                                                                      \
    }                                                                                                      \
    /* The same in int: only the low bits matter. */                                                       \
    int name##_wide(int x, int y) {                                                                        \
        for (int i = 0; i < 4; i++) {                                                                      \
            x = x * y + y; y = y * x - x; x = (x ^ y) & ~y; x += (y << 3) | 5; y = -x + 77; y *= x;        \
        }                                                                                                  \
        return (T)(x ^ y);                                                                                 \
    }
CHAIN(char, char) CHAIN(uchar, uchar) CHAIN(short, short) CHAIN(ushort, ushort)
kernel void test_chains(global uint *record, global int *in) {
    AS_IT_STANDS for (int i = 0; i < 8; i++) {
        int a = in[i * 29] - 100, b = in[i * 17 + 3] * 251;
        ASSERT(char_wide(a, b), char_chain(a, b)); ASSERT(uchar_wide(a, b), uchar_chain(a, b));
        ASSERT(short_wide(a, b), short_chain(a, b)); ASSERT(ushort_wide(a, b), ushort_chain(a, b));
    }
}
// Here the upper bits matter: quotients, right shifts, comparisons, wider sums.
kernel void test_upper_bits(global uint *record, global int *in) {
    uchar a = in[200], b = in[100];
    uchar mean = (a + b) / 2, shifted = (a + b) >> 1;
    ASSERT(150, mean); ASSERT(150, shifted);
    uchar wrapped = a + b;
    ASSERT(44, wrapped); ASSERT(1, wrapped < a); ASSERT(1, a + b > 255); ASSERT(88, wrapped + wrapped);
    char c = in[100] + in[100];
    ASSERT(-56, c); ASSERT(-28, c / 2); ASSERT(-112, c + c);
    char d = c + c;
    short s = d * d;
    ASSERT(-112, d); ASSERT(12544, s); s *= s;
    ASSERT((short)(12544 * 12544), s);
    uchar table[16];
    for (int i = 0; i < 16; i++) table[i] = in[i] * 17;
    uchar at = a * b;
    at = at * 3 + 1;
    ASSERT(((200 * 100 * 3 + 1) & 15) * 17, table[at & 15]);
    ulong far = (ulong)at + (uchar)(at - 100);
    ASSERT_LONG(((200 * 100 * 3 + 1) & 255) + ((200 * 100 * 3 + 1 - 100) & 255), far);
    uchar shift = a << in[4];
    ASSERT((200 << 4) & 255, shift); shift = a << 9;
    ASSERT(0, shift);
}
