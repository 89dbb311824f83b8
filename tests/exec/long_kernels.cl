// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL3.0
// RUN: global=67 local=67
// RUN: global=256 local=64
// Long kernels, which part_kernels parts by barriers for some drivers: private arrays that are used in many places,
// branches that only some vectors of work-items take, returns, loops, local memory and barriers between them.
#include "assert.h"

#define REPEAT4(x) x x x x
#define REPEAT16(x) REPEAT4(REPEAT4(x))
#define REPEAT64(x) REPEAT4(REPEAT16(x))
#define REPEAT256(x) REPEAT4(REPEAT64(x))
#define REPEAT2048(x) REPEAT4(REPEAT256(x x))

#define ITEM ((uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))))
#define SIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))

// One step of a sequence that no compiler shortens.
#define STEP x = x * 1664525u + (x >> 7 ^ 1013904223u);
uint steps(uint x, uint count) {
    AS_IT_STANDS for (uint i = 0; i < count; ++i) { STEP }
    return x;
}

kernel void test_in_a_row(global uint *record, global uint *in) {
    uint x = in[5] + ITEM;
    REPEAT2048(STEP) REPEAT256(STEP STEP)
    ASSERT(steps(in[5] + ITEM, 2560), x);
}

// The array lives from part to part.
#define UPDATE                              \
    places[x & 15] += places[x >> 4 & 15] + x; \
    STEP
kernel void test_updates(global uint *record, global uint *in) {
    uint places[16], expected[16], x = in[9] + ITEM;
    AS_IT_STANDS for (uint i = 0; i < 16; ++i) places[i] = expected[i] = i * ITEM;
    REPEAT256(UPDATE)
    uint y = in[9] + ITEM;
    AS_IT_STANDS for (uint i = 0; i < 256; ++i) {
        expected[y & 15] += expected[y >> 4 & 15] + y;
        y = y * 1664525u + (y >> 7 ^ 1013904223u);
    }
    uint wrong = 0;
    AS_IT_STANDS for (uint i = 0; i < 16; ++i) wrong += places[i] != expected[i];
    ASSERT(0, wrong);
    ASSERT(y, x);
}

// Parts lie in branches that whole vectors do not take, with branches in them.
kernel void test_branches(global uint *record, global uint *in) {
    uint x = in[3] + ITEM;
    const uint from = x;
    uint count = 64;
    if (ITEM % 3 == 0) {
        REPEAT256(STEP)
        count += 256;
        if (ITEM >= 24) {
            REPEAT256(STEP STEP STEP)
            count += 768;
        } else if (ITEM < 8) {
            REPEAT256(STEP STEP)
            count += 512;
        }
    } else if (ITEM > 40) {
        REPEAT256(STEP)
        count += 256;
    }
    switch (ITEM / 16) {
        case 0: REPEAT256(STEP) count += 256;
        case 1: REPEAT256(STEP) count += 256; break;
        case 3: REPEAT256(STEP STEP) count += 512; break;
        default: break;
    }
    REPEAT64(STEP)
    ASSERT(steps(from, count), x);
}

// Some work-items, and some whole vectors, return before and between the parts.
kernel void test_returns(global uint *record, global uint *in) {
    uint x = in[7] + ITEM;
    const uint from = x;
    if (ITEM >= 48 && ITEM < 56) {
        ASSERT(in[7] + ITEM, x);
        return;
    }
    REPEAT2048(STEP)
    if (ITEM % 5 == 1) {
        ASSERT(steps(from, 2048), x);
        return;
    }
    REPEAT256(STEP)
    ASSERT(steps(from, 2304), x);
    if (ITEM < 16) return;
    REPEAT2048(STEP)
    ASSERT(steps(from, 4352), x);
}

// Loops stay whole, and each vector does another number of turns, with returns from within.
kernel void test_loops(global uint *record, global uint *in) {
    uint x = in[2] + ITEM, count = 0;
    const uint from = x;
    REPEAT256(STEP)
    AS_IT_STANDS for (uint i = 0; i <= ITEM / 8; ++i) {
        REPEAT16(STEP)
        count += 16;
        if (ITEM == 33 && i == 2) {
            ASSERT(steps(from, 256 + count), x);
            return;
        }
    }
    REPEAT256(STEP)
    uint turns = ITEM % 11;
    AS_IT_STANDS while (turns-- != 0) {
        REPEAT4(STEP)
        count += 4;
    }
    REPEAT2048(STEP)
    ASSERT(steps(from, 2560 + count), x);
}

// The kernel's own barriers lie between ours, and order local memory.
kernel void test_local_memory(global uint *record, global uint *in) {
    local uint shared[256];
    uint x = in[1] + ITEM;
    REPEAT256(STEP)
    shared[ITEM] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = (ITEM + 9) % SIZE;
    ASSERT(steps(in[1] + next, 256), shared[next]);
    REPEAT256(STEP)
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM % 2 == 0) {
        REPEAT2048(STEP)
        shared[ITEM] = x;
    } else {
        shared[ITEM] = ITEM;
    }
    REPEAT256(STEP)
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(next % 2 == 0 ? steps(in[1] + next, 2560) : next, shared[next]);
}

// Values of all types live from part to part.
kernel void test_types(global uint *record, global uint *in) {
    uint x = in[4] + ITEM;
    const uint from = x;
    const ulong wide = (ulong)from << 33 | from;
    const bool odd = from % 2 == 1;
    const uchar3 bytes = (uchar3)(from, from + 1, from + 2);
    const float4 reals = convert_float4((uint4)(from, from * 2, from * 3, 7)) / 4;
    const uint8 many = (uint8)(0, 1, 2, 3, 4, 5, 6, 7) * from;
    global uint *const at = in + from % 8;
    REPEAT2048(STEP)
    ASSERT(steps(from, 2048), x);
    ASSERT_LONG((ulong)from << 33 | from, wide);
    ASSERT(from % 2, odd);
    ASSERT((uchar)(from + 2), bytes.z);
    ASSERT(from * 3, reals.z * 4);
    REPEAT256(STEP STEP)
    ASSERT(steps(from, 2560), x);
    ASSERT(from * 6, many.s6);
    ASSERT(from % 8, *at);
    ASSERT_LONG((ulong)from << 33 | from, wide);
    ASSERT((uchar)(from + 1), bytes.y);
}

// Some work-items have stored to local memory and returned; others do so between the parts. Nobody waits for them.
kernel void test_stores_before_returns(global uint *record, global uint *in) {
    local uint shared[256];
    uint x = in[6] + ITEM;
    shared[ITEM] = ITEM + 3;
    if (ITEM % 4 == 2) return;
    REPEAT2048(STEP)
    shared[ITEM] += x;
    if (ITEM >= 32 && ITEM < 40) {
        ASSERT(steps(in[6] + ITEM, 2048) + ITEM + 3, shared[ITEM]);
        return;
    }
    REPEAT256(STEP)
    ASSERT(steps(in[6] + ITEM, 2048) + ITEM + 3, shared[ITEM]);
    ASSERT(steps(in[6] + ITEM, 2304), x);
}

// Functions, sub-group operations and atomics between the parts.
uint folded(uint x) {
    REPEAT64(STEP)
    return x;
}
kernel void test_functions(global uint *record, global uint *in, global uint *sum) {
    uint x = in[8] + ITEM;
    const uint from = x;
    REPEAT16(x = folded(x);)
    if (ITEM % 3 != 0) { REPEAT16(x = folded(x);) }
    atomic_add(sum, 1u);
    const uint expected = steps(from, ITEM % 3 != 0 ? 2048 : 1024);
    ASSERT(expected, x);
    const uint others = sub_group_reduce_add(ITEM);
    REPEAT2048(STEP)
    ASSERT(steps(expected, 2048), x);
    ASSERT(others, sub_group_reduce_add(ITEM));
    ASSERT(get_sub_group_size(), sub_group_reduce_add(1u));
}
