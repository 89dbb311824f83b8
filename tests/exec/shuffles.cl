// SPDX-License-Identifier: Apache-2.0
// shuffle and shuffle2 of every element type, of 2 to 16 elements to 2 to 16 (1.13.12-2), of whose masks only the low bits count
// (1.13.12-3); vec_step (1.13.12-1).
#include "assert.h"

// Shuffles to the k-th length. Results are checked together. Each length has its own kernel, for compile time.
#define SHUFFLE(T, k, m, n)                                                            \
    vstore##n(shuffle(vload##m(0, memory), vload##n(0, masks)), 0, memory + 64 + 32 * (k)); \
    vstore##n(shuffle2(vload##m(0, memory), vload##m(0, memory + m), vload##n(0, masks)), 0, memory + 80 + 32 * (k));
#define KERNEL(T, M, m)                                                                                            \
    kernel void test_##T##m(global uint* record, global int* in, global T* memory, global M* masks) {              \
        AS_IT_STANDS for (uint i = 0; i < 32; i++) memory[i] = (T)(in[i] * 3 + 1);                                 \
        AS_IT_STANDS for (uint i = 0; i < 16; i++) masks[i] = (M)(in[i] * 37 + 11 + (in[i] << 5));                 \
        SHUFFLE(T, 0, m, 2) SHUFFLE(T, 1, m, 4) SHUFFLE(T, 2, m, 8) SHUFFLE(T, 3, m, 16)                           \
        AS_IT_STANDS for (uint i = 0; i < 64; i++) {                                                               \
            uint k = i / 16, n = 2u << k, lane = i % 16;                                                           \
            if (lane >= n) continue;                                                                               \
            ASSERT(1, memory[64 + 32 * k + lane] == memory[masks[lane] % m]);                                      \
            ASSERT(1, memory[80 + 32 * k + lane] == memory[masks[lane] % (2 * m)]);                                \
        }                                                                                                          \
    }
#define TYPE(T, M) KERNEL(T, M, 2) KERNEL(T, M, 4) KERNEL(T, M, 8) KERNEL(T, M, 16)
TYPE(char, uchar) TYPE(uchar, uchar) TYPE(short, ushort) TYPE(ushort, ushort) TYPE(int, uint) TYPE(uint, uint)
TYPE(long, ulong) TYPE(ulong, ulong) TYPE(float, uint)

// Constant masks
kernel void test_constant(global uint *record, global int *in) {
    int4 v = vload4(0, in + 10);
    int8 w = shuffle2(v, vload4(1, in + 10), (uint8)(7, 6, 5, 4, 3, 2, 1, 8 + 0));
    ASSERT(17, w.s0); ASSERT(14, w.s3); ASSERT(13, w.s4); ASSERT(10, w.s7);
    int2 x = shuffle(v, (uint2)(3, 4 + 2)); ASSERT(13, x.x); ASSERT(12, x.y);
}

kernel void test_vec_step(global uint *record, global int *in) {
    int count = in[5];
    char3 three = (char3)(1);
    ASSERT(1, vec_step(int)); ASSERT(2, vec_step(ulong2)); ASSERT(4, vec_step(float3)); ASSERT(4, vec_step(three)); ASSERT(4, vec_step(short4));
    ASSERT(8, vec_step(uchar8)); ASSERT(16, vec_step(int16)); ASSERT(1, vec_step(count++)); ASSERT(5, count);
}
