// SPDX-License-Identifier: Apache-2.0
// Neighbouring scalars of local memory, which the translator may load and store at once: rows whose length is odd, other
// scalars beside, arguments, what other work-items store between. 1.5.2-1.
// OPTIONS: -cl-std=CL3.0
// RUN: global=64 local=32
#include "assert.h"

// As in products of matrices: each work-item reads whole rows, of which each begins at another alignment.
kernel void test_rows(global uint *record, global int *in) {
    local int tile[8][9];
    uint id = get_local_id(0);
    for (uint i = id; i < 72; i += 32) tile[i / 9][i % 9] = 7 * i + in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sums[8];
    for (int r = 0; r < 8; r++) {
        sums[r] = 0;
        for (int c = 0; c < 9; c++) sums[r] = 3 * sums[r] + tile[r][c];
    }
    for (int r = 0; r < 8; r++) {
        int want = 0;
        for (int c = 0; c < 9; c++) want = 3 * want + 7 * (9 * r + c);
        ASSERT(want, sums[r]);
    }
    int4 row = (int4)(tile[id & 7][2], tile[id & 7][3], tile[id & 7][4], tile[id & 7][5]);
    ASSERT(7 * (36 * (id & 7) + 14), row.x + row.y + row.z + row.w);
}
// Stores of neighbours, of which others store the next ones; one of them before another work-item's are seen.
kernel void test_stores(global uint *record, global int *in) {
    local int words[32 * 3 + 1];
    uint id = get_local_id(0);
    words[3 * id] = in[id]; words[3 * id + 1] = in[id] + 100; words[3 * id + 2] = in[id] + 200;
    if (id == 0) words[96] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint next = (id + 1) & 31;
    ASSERT(next, words[3 * next]); ASSERT(next + 100, words[3 * next + 1]); ASSERT(next + 200, words[3 * next + 2]);
    ASSERT(-1, words[96]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int a = words[0], b = words[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 31) { words[1] = 7; words[0] = 6; words[2] = 8; words[3] = 9; }
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(100, a + b); ASSERT(6789, words[0] * 1000 + words[1] * 100 + words[2] * 10 + words[3]); ASSERT(101, words[4]);
}
// Scalars of other widths, whose objects lie one behind another.
kernel void test_widths(global uint *record, global int *in) {
    local short shorts[7];
    local float floats[9];
    local long longs[5];
    local char chars[6];
    uint id = get_local_id(0);
    if (id < 7) shorts[id] = in[id] - 3;
    if (id < 9) floats[id] = in[id] * 0.5f;
    if (id < 5) longs[id] = (long)in[id] << 33;
    if (id < 6) chars[id] = in[id] + 'a';
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(-3, shorts[0]); ASSERT(-2 - 1 + 0 + 1, shorts[1] + shorts[2] + shorts[3] + shorts[4]); ASSERT(5, shorts[5] + shorts[6]);
    ASSERT_BITS(as_uint(3.0f), floats[0] + floats[1] + floats[2] + floats[3]);
    ASSERT_BITS(as_uint(11.0f), floats[4] + floats[5] + floats[6] + floats[7]); ASSERT_BITS(as_uint(4.0f), floats[8]);
    ASSERT_LONG(6l << 33, longs[0] + longs[1] + longs[2] + longs[3]); ASSERT_LONG(4l << 33, longs[4]);
    ASSERT('a' + 'b' + 'c' + 'd', chars[0] + chars[1] + chars[2] + chars[3]); ASSERT('e' + 'f', chars[4] + chars[5]);
}
// Two arguments, whose sizes the host gives, and pointers into their middles.
kernel void test_arguments(global uint *record, global int *in, local int *first, local int *second) {
    uint id = get_local_id(0);
    first[id] = in[id]; second[id] = 50 + in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *third = first + 3, *from = second + 2 * (id & 3);
    ASSERT(0 + 1 + 2 + 3, first[0] + first[1] + first[2] + first[3]);
    ASSERT(3 + 4 + 5 + 6, third[0] + third[1] + third[2] + third[3]);
    ASSERT(4 * 50 + 8 * (id & 3) + 6, from[0] + from[1] + from[2] + from[3]);
    ASSERT(28 + 29 + 30 + 31, first[28] + first[29] + first[30] + first[31]);
}
// Structures and vectors over the same words.
typedef struct { float x, y, z; int n; float w; } Item;
kernel void test_items(global uint *record, global int *in) {
    local Item items[33];
    uint id = get_local_id(0);
    items[id].x = in[id]; items[id].y = in[id] + 0.25f; items[id].z = in[id] + 0.5f; items[id].n = in[id]; items[id].w = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint next = (id + 7) & 31;
    Item item = items[next];
    ASSERT_BITS(as_uint(next * 3 + 0.75f), item.x + item.y + item.z); ASSERT(next, item.n);
    float4 all = vload4(5 * (id & 7), (local float *)items + 1);
    uint at = 4 * (id & 7);
    ASSERT_BITS(as_uint(at + 0.25f), all.x); ASSERT_BITS(as_uint(at + 0.5f), all.y); ASSERT(at, as_uint(all.z));
    ASSERT_BITS(as_uint(1.0f), all.w);
}
