// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// cl_khr_extended_bit_ops: fields of every offset and count in integers of every width, empty and whole ones too; vectors of all lengths.
#include "vector_forms.h"

ulong ones(uint n) { return n == 0 ? 0 : ~0ul >> (64 - n); }
ulong moved(ulong x, uint by) { return by == 64 ? 0 : x << by; }

#define FIELDS(T, U, W)                                                                                         \
    kernel void test_##T(global uint *record, global int *in) {                                                 \
        const T base = (T)(0x9c3e5aa5f00f71c8 + in[0]), other = (T)(0x5d81c6a738e2b4f9 + in[0]);                \
        for (uint offset = 0; offset <= W; offset++)                                                            \
            for (uint count = 0; count <= W - offset; count++) {                                                \
                const ulong field = moved(ones(count), offset), bits = (ulong)(U)base;                          \
                const ulong in_place = moved((ulong)(U)other, offset) & field;                                  \
                const ulong value = count == 0 ? 0 : bits >> offset & ones(count);                              \
                const bool below = count != 0 && (value >> (count - 1) & 1) != 0;                               \
                ASSERT(1, bitfield_insert(base, other, offset, count) == (T)((bits & ~field) | in_place));      \
                ASSERT(1, bitfield_extract_unsigned(base, offset, count) == (U)value);                          \
                ASSERT(1, (U)bitfield_extract_signed(base, offset, count) == (U)(below ? value | ~ones(count) : value)); \
            }                                                                                                   \
    }
FIELDS(char, uchar, 8)
FIELDS(uchar, uchar, 8)
FIELDS(short, ushort, 16)
FIELDS(ushort, ushort, 16)
FIELDS(int, uint, 32)
FIELDS(uint, uint, 32)
FIELDS(long, ulong, 64)
FIELDS(ulong, ulong, 64)

#define insert(...) bitfield_insert(__VA_ARGS__, from, 4u)
#define extract_signed(x) bitfield_extract_signed(x, from, 4u)
#define extract_unsigned(x) bitfield_extract_unsigned(x, from, 4u)
#define VECTORS(T, S, U)                                                                                        \
    kernel void test_vectors_of_##T(global uint *record, global int *in) {                                      \
        const uint from = in[3];                                                                                \
        const T##16 a = (T##16)(0, 1, 2, 3, 60, 70, 80, 90, 101, 110, 127, -1, -7, -70, -100, -128) + (T)in[0], b = a.s9876543210fedcba; \
        AGREE(insert, T, TWO) AGREE(extract_signed, S, ONE) AGREE(extract_unsigned, U, ONE) AGREE(bit_reverse, T, ONE) \
    }
VECTORS(char, char, uchar)
VECTORS(ushort, short, ushort)
VECTORS(int, int, uint)
VECTORS(ulong, long, ulong)
