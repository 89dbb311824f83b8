// SPDX-License-Identifier: Apache-2.0
// Loops of work-groups that fill no vectors of the device: the lanes that are left over are no work-items: they must not
// keep a loop going, nor what may be left of its jumps from the loops behind it.
// RUN: global=30 local=10
// RUN: global=17 local=17
// RUN: global=15,6 local=5,3
// RUN: global=6,3,6 local=3,1,3
// RUN: global=1
#include "assert.h"

uint linear_id() {
    return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}
// Steps to 1; 0 never gets there.
uint hailstone(uint x) {
    uint steps = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    return steps;
}
uint odd_ones(global uint *in, uint n) {
    uint count = 0;
    for (uint i = 0; i < n; i++) count += in[i] & 1;
    return count;
}
kernel void test_loop(global uint *record, global uint *in) {
    const uint x = in[linear_id() + 1];
    ASSERT(hailstone(2 * x), hailstone(x) + 1);
    ASSERT(50, odd_ones(in, in[100]));
}
kernel void test_barrier(global uint *record, global uint *in) {
    local uint steps[32];
    const uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const uint l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    for (uint turn = 1; turn < in[4]; turn++) {
        steps[l] = hailstone(in[l + turn]);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint next = (l + 1) % items;
        ASSERT(hailstone(next + turn), steps[next]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ASSERT(50, odd_ones(in, in[100]));
}
