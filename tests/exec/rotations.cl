// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, wrong-idioms
// Rotations of integers by constants, beside those by what is in memory: of the compiler's own making (halve_rotations,
// keep_rotations) where the device's compiler misses them.
#include "assert.h"

ulong rotated(ulong x, int n) { return (x << n) | (x >> (64 - n)); }
ulong turned(ulong x, int n) { return (x >> n) + (x << (64 - n)); }

#define CHECK_BY(n)                                                          \
    {                                                                        \
        const ulong left = rotate(x, (ulong)one * (n));                      \
        ASSERT_LONG(left, rotate(x, (ulong)(n)));                            \
        ASSERT_LONG(left, rotate((long)x, (long)(n)-64));                    \
        ASSERT_LONG(left, rotated(x, n));                                    \
        ASSERT_LONG(left, turned(x, 64 - (n)));                              \
        ASSERT_LONG(left, (x << (n)) ^ (x >> (64 - (n))));                   \
        const ulong2 both = rotate((ulong2)(x, ~x), (ulong2)((n), 64 - (n))); \
        ASSERT_LONG(left, both.x);                                           \
        ASSERT_LONG(rotate(~x, (ulong)one * (64 - (n))), both.y);            \
    }

kernel void test_rotations(global uint *record, global const int *numbers) {
    const int one = numbers[1];
    ulong x = 0x0123456789abcdefUL * (ulong)(numbers[3] + get_global_id(0));
    CHECK_BY(1) CHECK_BY(8) CHECK_BY(19) CHECK_BY(28) CHECK_BY(31)
    CHECK_BY(32)
    CHECK_BY(33) CHECK_BY(34) CHECK_BY(45) CHECK_BY(61) CHECK_BY(63)
    // Expressions that only look like rotations
    ASSERT_LONG(x * 2 + (x >> one), (x << 1) + (x >> 1));
    ASSERT_LONG((x << one) | (~x >> 63 * one), (x << 1) | (~x >> 63));
    // The shifts are wanted too.
    const ulong left = x << 20, right = x >> 44;
    ASSERT_LONG(rotate(x, (ulong)(20 * one)), left | right);
    ASSERT_LONG(x << 20 * one, left);
    ASSERT_LONG(x >> 44 * one, right);
}

#define CHECK_SHORT(n)                                                 \
    {                                                                  \
        const uint left = rotate(x, (uint)one * (n));                  \
        ASSERT(left, rotate(x, (uint)(n)));                            \
        ASSERT(left, (x << (n)) | (x >> (32 - (n))));                  \
        ASSERT(left, (x >> (32 - (n))) + (x << (n)));                  \
        ASSERT(left, rotate((uint2)(x, one), (uint2)((n), (n))).x);    \
    }

kernel void test_short_rotations(global uint *record, global const int *numbers) {
    const uint one = numbers[1];
    uint x = 0x89abcdefu * (uint)(numbers[3] + get_global_id(0));
    CHECK_SHORT(1) CHECK_SHORT(7) CHECK_SHORT(8) CHECK_SHORT(16) CHECK_SHORT(25) CHECK_SHORT(31)
    if (numbers[2] == 2) x += rotate(x, 13u) ^ rotate(x, 22u);
    const uint y = rotate(x, 13 * one), left = x << 13, right = x >> 19;
    ASSERT(y, left | right); ASSERT(x << 13 * one, left); ASSERT(x >> 19 * one, right);
    ASSERT((x << one) | (~x >> 31 * one), (x << 1) | (~x >> 31));
}
