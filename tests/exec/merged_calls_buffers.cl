// SPDX-License-Identifier: Apache-2.0
// ALWAYS: merge-calls
// Functions that are called from many places with pointers to global, local and constant memory: the same, places in the
// same array, and others. In the form for compilers that inline every call, calls with the same pointer become one
// (merge_calls). A C compiler computed the values. 1.13-1
// RUN: global=16 local=16
#include "assert.h"

constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

// Large enough to be worth one copy; reads and writes two words.
#define STEPS(data)                                                                 \
    for (uint i = 0; i < 4; i++) {                                                  \
        x = rotate(x * 0x9E3779B1u, 5u) ^ (x >> 3) ^ data[i & 1];                   \
        x = (x & 1) ? x * 5 + 7 : x ^ (x >> 11);                                    \
        x = (x & 2) ? x * 9 + 5 : x ^ (x >> 7);                                     \
        x = (x & 4) ? x * 17 + 3 : x ^ (x >> 13);                                   \
        x = (x & 8) ? x * 33 + 1 : x ^ (x >> 5);                                    \
        x = (x & 16) ? x * 65 + 11 : x ^ (x >> 9);                                  \
        x = (x & 32) ? x * 3 + 13 : x ^ (x >> 6);                                   \
        x = (x & 64) ? x * 7 + 17 : x ^ (x >> 10);                                  \
        x = rotate(x, 3u) + rotate(x, 11u) + mul_hi(x, 0xC2B2AE35u);                \
        x = rotate(x * 0x85EBCA6Bu, 13u) ^ (x >> 7) ^ (x << 9);                     \
        x = rotate(x + 0x27D4EB2Fu, 17u) ^ (x >> 4) ^ (x << 6);                     \
        x = rotate(x * 0x165667B1u, 19u) ^ (x >> 8) ^ (x << 3);                     \
    }
#define CALLS(type, name)                                                           \
    uint step_##name(type *data, uint x) { STEPS(data) WRITE_##name return x; }     \
    uint walk_##name(type *data, uint n, uint x) {                                  \
        type *second = data + n, *moving = data;                                    \
        x = step_##name(data, x + 1);                                               \
        x = step_##name(data, x + 2);                                               \
        x = step_##name(data + 2, x + 3);                                           \
        if (x & 4) x = step_##name(data + 2, x + 4);                                \
        else x = step_##name(second, x + 5);                                        \
        for (uint i = 0; i < n; i++) {                                              \
            x = step_##name(moving, x ^ i);                                         \
            moving++;                                                               \
            x = step_##name(moving, x ^ i);                                         \
            if ((x & 7) == i) x = step_##name(second, x);                           \
            else if (x & 1) x = step_##name(data, x);                               \
        }                                                                           \
        data = moving;                                                              \
        x = step_##name(data, x);                                                   \
        return step_##name(second, x);                                              \
    }

#define WRITE_global data[0] += x & 255;
#define WRITE_local data[0] += x & 255;
#define WRITE_constant
CALLS(global uint, global)
CALLS(local uint, local)
CALLS(constant uint, constant)

kernel void test_global(global uint *record, global uint *in, global uint *all) {
    global uint *own = all + 16 * get_global_id(0);
    for (uint i = 0; i < 8; i++) own[i] = table[i];
    const uint x = walk_global(own, in[3], in[7]);
    ASSERT(0x98645f50u, x); ASSERT(630, own[0]); ASSERT(351, own[3]);
}

kernel void test_local(global uint *record, global uint *in) {
    local uint all[8 * 16], *own = all + 8 * get_local_id(0);
    for (uint i = 0; i < 8; i++) own[i] = table[i];
    const uint x = walk_local(own, in[3], in[7]);
    ASSERT(0x98645f50u, x); ASSERT(630, own[0]); ASSERT(351, own[3]);
}

kernel void test_constant(global uint *record, global uint *in) { ASSERT(0x96e8843bu, walk_constant(table, in[3], in[7])); }
