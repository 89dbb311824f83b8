// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// The two bytes of 16-bit integers change places, in the ways in which programs say it. NVIDIA's compiler for Vulkan makes of most of
// them one exchange, of bytes that are elsewhere. 1.3.10-5, 1.13.3-15 (rotate)
// OPTIONS: -cl-std=CL2.0
// RUN: global=64 local=64
#include "assert.h"

// Work-item l writes 1021 * l, exchanges what `from` has of its number and those beside it, and checks another's result.
#define TEST(name, from, to, exchanged)                                                     \
    kernel void test_##name(global uint *record, global ushort *numbers, global uint *out) { \
        const uint l = get_local_id(0), other = l ^ 2;                                      \
        numbers[l] = l * 1021;                                                              \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                      \
        const from x = ((global from *)numbers)[l * sizeof(ushort) / sizeof(from)];         \
        ((global to *)out)[l] = (exchanged);                                                \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                      \
        const uint result = ((volatile global to *)out)[other];                             \
        const uint number = other / (sizeof(from) / 2) * (sizeof(from) / 2) * 1021;         \
        ASSERT(number >> 8 & 255, result & 255);                                            \
        ASSERT(number & 255, result >> 8 & 255);                                            \
        if (sizeof(to) > 2) ASSERT(0, result >> 16);                                        \
    }

TEST(masked, ushort, ushort, (x & 0x00ff) << 8 | (x & 0xff00) >> 8)
TEST(masked_to_uint, ushort, uint, (ushort)((x & 0x00ff) << 8 | (x & 0xff00) >> 8))
TEST(unsigned, ushort, uint, ((uint)x & 0x00ff) << 8 | ((uint)x & 0xff00) >> 8)
TEST(unsigned_to_ushort, ushort, ushort, ((uint)x & 0x00ff) << 8 | ((uint)x & 0xff00) >> 8)
TEST(shifted, ushort, ushort, x << 8 | x >> 8)
TEST(shifted_to_uint, ushort, uint, (ushort)(x << 8 | x >> 8))
TEST(masked_after, ushort, ushort, (x << 8 & 0xff00) | (x >> 8 & 255))
TEST(lower_masked, ushort, ushort, (x & 0x00ff) << 8 | x >> 8)
TEST(upper_masked, ushort, ushort, x << 8 | (x & 0xff00) >> 8)
TEST(sum, ushort, ushort, ((x & 0x00ff) << 8) + ((x & 0xff00) >> 8))
TEST(exclusive, ushort, ushort, ((x & 0x00ff) << 8) ^ ((x & 0xff00) >> 8))
TEST(product, ushort, ushort, x * 256 | x / 256)
TEST(rotation, ushort, ushort, rotate(x, (ushort)8))
TEST(bytes, ushort, ushort, as_ushort(as_uchar2(x).yx))
TEST(of_short, short, ushort, (x & 0x00ff) << 8 | (x & 0xff00) >> 8)
TEST(of_uint, uint, ushort, (x & 0x00ff) << 8 | (x & 0xff00) >> 8)
TEST(of_uint_to_uint, uint, uint, (x << 8 | x >> 8 & 255) & 0xffff)
TEST(of_int, int, uint, (x & 0x00ff) << 8 | (x & 0xff00) >> 8)
TEST(of_doubled, ushort, ushort, (x << 16 | x) >> 8)
TEST(of_ulong, ulong, ushort, (x & 0xff) << 8 | (x & 0xff00) >> 8)
TEST(of_memory, ushort, ushort, ((global uchar *)numbers)[2 * l] << 8 | ((global uchar *)numbers)[2 * l + 1])
TEST(of_float, ushort, uint, (float)(ushort)(x << 8 | x >> 8))
TEST(inserted, ushort, ushort, bitselect((ushort)(x >> 8), (ushort)(x << 8), (ushort)0xff00))
TEST(reversed, ushort, ushort, upsample((uchar)x, (uchar)(x >> 8)))

ushort exchange_in_loop(ushort x) {
    ushort result = 0;
    for (int i = 0; i < 2; i++) {
        result = result << 8 | (x & 255);
        x >>= 8;
    }
    return result;
}
uint exchange_wide_in_loop(uint x, uint turns) {
    uint result = 0;
    for (uint i = 0; i < turns; i++, x >>= 8) result = result << 8 | (x & 255);
    return result;
}
TEST(loop, ushort, ushort, exchange_in_loop(x))
TEST(wide_loop, ushort, ushort, exchange_wide_in_loop(x, 2))
TEST(chosen, ushort, ushort, l < 100 ? (ushort)(x << 8 | x >> 8) : x)
TEST(stored_bytes, ushort, ushort, (((global uchar *)out)[2 * l] = x >> 8, ((global uchar *)out)[2 * l + 1] = x,
                                    ((volatile global ushort *)out)[l]))

// In local memory, and of vectors
kernel void test_local(global uint *record, global int *in) {
    local ushort numbers[64], exchanged[64];
    const uint l = get_local_id(0), other = l ^ 2, number = 1021 * other;
    numbers[l ^ 1] = (l ^ 1) * 1021;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ushort x = numbers[l];
    exchanged[l] = (x & 0x00ff) << 8 | (x & 0xff00) >> 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT((number >> 8 & 255) | (number & 255) << 8, exchanged[other]);
}

#define TEST_VECTOR(n)                                                                                     \
    kernel void test_vector##n(global uint *record, global ushort *numbers, global ushort *out) {          \
        const uint l = get_local_id(0);                                                                    \
        for (uint i = 0; i < n; i++) numbers[n * l + i] = (n * l + i) * 1021;                              \
        const ushort##n x = vload##n(l, numbers);                                                          \
        vstore##n(x << (ushort##n)8 | x >> (ushort##n)8, l, out);                                          \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                                     \
        for (uint i = 0; i < n; i++) {                                                                     \
            const uint at = n * (l ^ 1) + i, number = at * 1021 & 0xffff;                                  \
            ASSERT(number >> 8, out[at] & 255);                                                            \
            ASSERT(number & 255, out[at] >> 8);                                                            \
        }                                                                                                  \
    }
TEST_VECTOR(2)
TEST_VECTOR(3)
TEST_VECTOR(4)
TEST_VECTOR(8)
TEST_VECTOR(16)

// Wider integers, whose exchanges are right
kernel void test_wide(global uint *record, global uint *in) {
    const uint x = in[5] * 0x01020304u + in[3];
    const ulong y = (ulong)x << 32 | (x ^ 0x55555555);
    ASSERT(0x170f0a05, (x & 0xff) << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24);
    ASSERT(0x170f0a05, (rotate(x, 8u) & 0x00ff00ff) | (rotate(x, 24u) & 0xff00ff00));
    ASSERT(0x0a051700 | 0x0f, (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff));
    ASSERT(0x0a05, (ushort)((x >> 16 & 255) << 8 | x >> 24));
    ASSERT(0x0f17, (ushort)((x & 255) | (x >> 8 & 255) << 8));
    ASSERT_LONG(0x425a5f50170f0a05ul, as_ulong(as_uchar8(y).s76543210));
}
