// SPDX-License-Identifier: Apache-2.0
// Barriers where control flow must stay together: every work-item reaches them, in loops each time (1.13.8-2), whatever ways
// it took before.
// RUN: global=64 local=16
#include "assert.h"

kernel void test_in_loops(global uint *record, global int *in) {
    local int sums[2][16];
    int id = get_local_id(0), from = 0, n = in[16];
    sums[0][id] = id + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < n; step *= 2) {
        sums[1 - from][id] = sums[from][id] + (id >= step ? sums[from][id - step] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ASSERT((id + 1) * (id + 2) / 2, sums[from][id]);
}

// Work-items leave the inner loops at different times; the outer ones together, from the middle or by goto.
kernel void test_after_divergence(global uint *record, global int *in) {
    local int box[16];
    int id = get_local_id(0), rounds = 0;
    box[id] = 0;
    while (true) {
        int turns = 0;
        for (int i = in[id]; i > 0; i--) { if (i == 3 && id > 12) break; turns++; }
        if (id & 1) { if (id & 2) turns += 100; else turns += 200; }
        box[(id + rounds) % 16] += turns;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (++rounds == in[16]) break;
        if (rounds % 3 == 0) continue;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int all = 0;
    for (int i = 0; i < 13; i++) all += i;
    all += 10 + 11 + 12 + 4 * 100 + 4 * 200;
    ASSERT(all, box[id]);
    int steps = 0;
again:
    box[id] = steps;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(steps, box[15 - id]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (++steps < in[3]) goto again;
}

int neighbour(local int *p, int mine) {
    int id = get_local_id(0);
    if (id == 5) mine *= 2;
    p[id] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) return p[15];
    int result = p[id - 1];
    for (int i = 0; i < id; i++)
        if (i == 7) return result + 1000;
    return result;
}
kernel void test_in_functions(global uint *record, global int *in) {
    local int box[16];
    int id = get_local_id(0), before = (id + 15) % 16;
    int got = neighbour(box, in[id] + 50);
    ASSERT((before == 5 ? 2 : 1) * (before + 50) + (id > 7 ? 1000 : 0), got);
    barrier(CLK_LOCAL_MEM_FENCE);
    got = id < 8 ? in[id] : -in[id];
    got = neighbour(box, got);
    before = (id + 15) % 16;
    ASSERT((before == 5 ? 2 : 1) * (before < 8 ? before : -before) + (id > 7 ? 1000 : 0), got);
}

kernel void test_in_switch(global uint *record, global int *in) {
    local int box[16];
    int id = get_local_id(0), seen = 0;
    for (int i = 0; i < in[4]; i++)
        switch (in[i]) {
            case 1: box[id] = id; barrier(CLK_LOCAL_MEM_FENCE); seen += box[id ^ 1];
            case 2: barrier(CLK_LOCAL_MEM_FENCE); box[id] = 100 * id; barrier(CLK_LOCAL_MEM_FENCE); break;
            default: if (id == 3) continue; seen++;
        }
    ASSERT((id ^ 1) + (id == 3 ? 0 : 2), seen); ASSERT(100 * (id ^ 8), box[id ^ 8]);
}

// Flags that many set to the same value, also where bytes are parts of words.
kernel void test_same_value(global uint *record, global int *in, global uchar *out) {
    local uchar found[4];
    local struct { short tag; bool any; } flags;
    int id = get_local_id(0);
    if (id < 4) found[id] = 0x55;
    if (id == 0) { flags.any = false; flags.tag = -1; out[4 * get_group_id(0) + 1] = 0; }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (in[id] >= 4) found[2] = 7;
    if (in[id] & 2) { flags.any = true; flags.tag = 0x1234; }
    out[4 * get_group_id(0) + 1] = 9;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ASSERT(7, found[2]); ASSERT(0x55, found[1]); ASSERT(0x55, found[3]); ASSERT(1, flags.any); ASSERT(0x1234, flags.tag);
    ASSERT(9, out[4 * get_group_id(0) + 1]);
}
