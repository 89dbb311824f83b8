// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Copies of memory (OpCopyMemory, OpCopyMemorySized): structs and arrays of every size between all spaces, byte counts that
// are known and that are not, at any alignment, and variables that live in a block or in each turn of a loop.
#include "assert.h"

#define OBJECT(n) typedef struct { char bytes[n]; } Bytes##n;
OBJECT(1) OBJECT(3) OBJECT(5) OBJECT(6) OBJECT(13) OBJECT(64)
typedef struct { int a; Bytes5 odd; long l; short s[3]; float3 v; } Mixed;

#define COPIES(n)                                                                                           \
    kernel void test_##n(global uint *record, global int *in, global char *out) {                           \
        local Bytes##n near[2];                                                                             \
        Bytes##n mine[3], other;                                                                            \
        global Bytes##n *from = (global Bytes##n *)((global char *)in + 4 * in[1]), *to = (global Bytes##n *)out; \
        near[in[1]] = from[in[1]]; mine[in[2]] = near[1]; other = mine[2]; to[in[1]] = other; mine[0] = to[1];    \
        near[0] = *mine; to[2] = near[0]; to[0] = from[2];                                                  \
        for (int i = 0; i < n; i++) {                                                                       \
            char expected = ((global char *)in)[4 + n + i];                                                 \
            ASSERT(expected, other.bytes[i]); ASSERT(expected, to[in[2]].bytes[i]); ASSERT(expected, near[0].bytes[i]); \
            ASSERT(((global char *)in)[4 + 2 * n + i], to[0].bytes[i]);                                     \
        }                                                                                                   \
    }
COPIES(1) COPIES(3) COPIES(5) COPIES(6) COPIES(13) COPIES(64)

kernel void test_structs(global uint *record, global int *in, global Mixed *out) {
    local Mixed near[2];
    Mixed m = {in[7], {{1, 2, 3, 4, in[5]}}, (long)in[9] << 40, {10, 11, in[12]}, (float3)(1, 2, in[3])}, mine[2];
    out[1] = m; near[in[1]] = out[in[1]]; mine[in[0]] = near[1]; mine[1] = mine[0];
    ASSERT(7, mine[1].a); ASSERT(5, mine[1].odd.bytes[in[4]]); ASSERT_LONG(9l << 40, mine[1].l); ASSERT(12, mine[1].s[in[2]]);
    ASSERT_BITS(0x40400000, mine[1].v.z);
}

kernel void test_bytes(global uint *record, global int *in, global uchar *out) {
    uchar mine[40];
    local uchar near[40];
    for (int i = 0; i < 40; i++) { mine[i] = in[i + 1]; near[i] = 0; out[i] = 0; }
    __builtin_memcpy(near + 1, mine + 3, 17); ASSERT(0, near[0]); ASSERT(4, near[1]); ASSERT(20, near[17]); ASSERT(0, near[18]);
    __builtin_memcpy(out + in[3], near + in[2], in[9]);
    ASSERT(0, out[2]); ASSERT(5, out[3]); ASSERT(13, out[11]); ASSERT(0, out[12]);
    __builtin_memcpy(out + 20, in + in[2], in[0]); ASSERT(0, out[20]);
    int words[3];
    __builtin_memcpy(words, in + in[4], sizeof words); ASSERT(6, words[in[2]]);
    __builtin_memset(mine + 1, in[255], 5); ASSERT(1, mine[0]); ASSERT(255, mine[5]); ASSERT(7, mine[6]);
}

// How many is not known: forward by words and bytes, between all spaces.
kernel void test_counts(global uint *record, global int *in, global int *out) {
    int mine[16];
    local int near[16];
    uchar small[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 16; i++) { mine[i] = 0x01010101 * (i + 1); near[i] = 0; out[i] = 0; }
    __builtin_memcpy(near + 2, mine + in[1], in[11]); ASSERT(0, near[1]); ASSERT(0x02020202, near[2]);
    ASSERT(0x00040404, near[4]); ASSERT(0, near[5]);
    __builtin_memcpy(out, near + 1, in[14]); ASSERT(0x02020202, out[1]); ASSERT(0x0404, out[3]); ASSERT(0, out[4]);
    __builtin_memcpy(mine + in[3], in + in[5], in[32]); ASSERT(3, mine[2] >> 24); ASSERT(5, mine[3]); ASSERT(12, mine[10]);
    ASSERT(12, mine[11] & 0xff);
    __builtin_memcpy((uchar *)mine + in[1], small + in[2], in[5]); ASSERT(0x05040301, mine[0]); ASSERT(0x02020706, mine[1]);
}

// From one of two buffers: which is not known when the module is made.
kernel void test_either(global uint *record, global int *in, global int *out) {
    int mine[3], more[20];
    out[1] = 7;
    global int *from = in[1] ? in : out, *to = in[2] > 2 ? in : out;
    __builtin_memcpy(mine, from + in[4], sizeof mine); ASSERT(6, mine[in[2]]);
    __builtin_memcpy(more, from + in[1], sizeof more); ASSERT(20, more[in[19]]);
    __builtin_memcpy(to, mine, sizeof mine); ASSERT(5, out[1]);
}

kernel void test_lives(global uint *record, global int *in) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int box[4] = {i, 2 * i}, *p = box + in[1];
        if (in[i] & 1) { int box[2] = {100, 200}, *q = box; sum += box[in[1]]; *q += 5; sum += *q; }
        sum += *p; ASSERT(0, box[3]); box[3] = 1;
    }
    ASSERT(2 * (200 + 105) + 0 + 2 + 4 + 6, sum);
}
