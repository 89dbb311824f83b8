// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// Loops that go on for longer than some compilers let them.
// RUN: global=8 local=8
#include "assert.h"
kernel void test_one_loop(global uint *record, global uint *in) {
    uint odd = 0, g = get_global_id(0), end = 200000 + in[g];
    for (uint i = 0; i < end; i++) odd += i & in[1];
    ASSERT(100000 + g / 2, odd);
}
kernel void test_loop_in_a_loop(global uint *record, global uint *in) {
    uint even = 0, g = get_global_id(0);
    for (uint i = 0; i < 100; i++)
        for (uint j = in[g]; j < 2000; j++)
            if (((i ^ j) & 1) == 0) even++;
    ASSERT(100 * 1000 - 50 * g, even);
}
kernel void test_search(global uint *record, global uint *in) {
    uint g = get_global_id(0), x = in[1], turns = 0;
    do {
        x = x * 5 + 1;
        if (++turns == 200000 + g) break;
    } while (x != in[0] || turns < 1000000);
    ASSERT(200000 + g, turns);
}
kernel void test_loops_behind_each_other(global uint *record, global uint *in) {
    local uint shared[8];
    uint g = get_global_id(0), first = 0, second = 0;
    shared[g] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = in[0]; i < 100000; i++) first += shared[i & 7];
    for (uint i = in[0]; i < 100000; i++) second += shared[(i + first) & 7] & 1;
    ASSERT(100000 / 8 * 28, first);
    ASSERT(50000, second);
}

// Blocks of a constant number of turns, with a function in them, as scans of large arrays have.
__attribute__((noinline)) uint mixed(uint x, uint y) { return (x ^ y) + (x >> 3); }
kernel void test_blocks(global uint *record, global uint *in) {
    uint g = get_global_id(0), sum = 0, even = 0, last = 0;
    for (uint base = in[0]; base < 1000000; base += 250) {
        for (uint k = 0; k < 250; k++) sum += mixed(base + k, in[g]) & in[1];
        for (int k = 248; k >= 0; k -= 2) even += (base + k + in[0] & 1) == 0;
        last = base;
    }
    uint expected = 0;
    for (uint i = 0; i < 16; i++) expected += (i ^ g) + (i >> 3) & 1;
    ASSERT(1000000 / 16 * expected, sum);
    ASSERT(500000, even);
    ASSERT(999750, last);
}
// Too long for four turns, more turns than may jump.
kernel void test_long_body(global uint *record, global uint *in) {
    local uint shared[8];
    uint g = get_global_id(0), before = 0, found = 0;
    shared[g] = in[0];
    for (uint i = in[0]; i < 100000; i++) {
        if (i % 8 == g) shared[g] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (g != 0) before = shared[g - 1];
        if (before != in[7] && (i & 7) == g) {
            found += before <= i;
            if (i + 1 == 100000) found += 1000000;
        }
        if (g == 0) before = shared[7 & in[7]];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ASSERT(g, shared[g] & 7);
    ASSERT(99992 + g, shared[g]);
    ASSERT((g == 7) * 1000000, found / 1000000 * 1000000);
}
// Loops of few turns, with more in them than compilers unroll, in loops around them: tiles of pairs.
inline uint scattered(uint x) {
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    x = (x ^ x >> 14) * 0x9e3779b1;
    x = (x ^ x >> 13) * 0x85ebca77;
    x = (x ^ x >> 12) * 0xc2b2ae3d;
    x = (x ^ x >> 11) * 0x27d4eb2f;
    x = (x ^ x >> 10) * 0x165667b1;
    return x ^ x >> 16;
}
kernel void test_tiles(global uint *record, global uint *in) {
    uint x = in[get_global_id(0)], pairs = 0;
    for (uint tile = in[0]; tile < 300; tile++)
        for (uint i = 0; i < 32; i++)
            for (uint j = 0; j < 32; j++) {
                x = scattered(scattered(scattered(x + i * j) ^ j) + i);
                x = scattered(scattered(scattered(x ^ i) + j) ^ i);
                pairs += (x != tile) | in[1];
            }
    ASSERT(300 * 32 * 32, pairs);
}
kernel void test_searches_in_tiles(global uint *record, global uint *in) {
    uint x = in[get_global_id(0)], pairs = 0;
    for (uint tile = in[0]; tile < 100; tile++)
        for (uint i = 0; i < 32; i++)
            for (uint j = 0; j < 32; j++) {
                x = scattered(x + i * j);
                if ((x & in[0]) != in[0]) break;
                pairs++;
            }
    ASSERT(100 * 32 * 32, pairs);
}
