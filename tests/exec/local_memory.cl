// SPDX-License-Identifier: Apache-2.0
// Local memory: variables, arguments, barriers. 1.5.2-1, 1.13.8-1.
// RUN: global=64 local=16
#include "assert.h"
kernel void test_exchange(global uint *record, global int *in) {
    local int box[16];
    local uchar bytes[16];
    int id = get_local_id(0);
    box[id] = in[get_global_id(0)] * 2;
    bytes[id] = id * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(2 * (get_group_id(0) * 16 + 15 - id), box[15 - id]);
    ASSERT((15 - id) * 3, bytes[15 - id]);
}
kernel void test_argument(global uint *record, local float4 *scratch, global int *in) {
    int id = get_local_id(0);
    scratch[id] = (float4)(in[id], 0, 0, id);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT_BITS(as_uint((float)((id + 1) % 16)), scratch[(id + 1) % 16].w);
}
void rotate_left(local int *p, int n) {
    int mine = p[(get_local_id(0) + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void test_function(global uint *record, global int *in) {
    local int a[16], b[16];
    local int *p = in[get_group_id(0)] & 1 ? a : b;
    int id = get_local_id(0);
    a[id] = id; b[id] = 100 + id;
    barrier(CLK_LOCAL_MEM_FENCE);
    rotate_left(p, 16);
    rotate_left(a, 16);
    int odd = get_group_id(0) & 1;
    ASSERT((id + 1 + odd) % 16, a[id]);
    ASSERT(100 + (id + 1 - odd) % 16, b[id]);
}
typedef struct { int key; short tag; char c[2]; } Item;
kernel void test_struct(global uint *record, global int *in) {
    local Item items[16];
    int id = get_local_id(0);
    items[id].key = in[id]; items[id].tag = -id; items[id].c[1] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    Item other = items[id ^ 1];
    ASSERT(id ^ 1, other.key); ASSERT(-(id ^ 1), other.tag); ASSERT(id ^ 1, other.c[1]);
}
