// SPDX-License-Identifier: Apache-2.0
// Loops of constant counts, unrolled by the translator or not: counters of every kind, what loops leave behind, loops in
// loops, tables, private arrays that are indexed at run time too, and ends that are reached early.
// RUN: global=1
#include "assert.h"

constant uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

kernel void test_counters(global uint *record) {
    uint sum = 0;
#pragma unroll
    for (int i = 3; i >= 0; --i) sum = sum * 10 + i;
    ASSERT(3210, sum);
    sum = 0;
#pragma unroll
    for (uint i = 1; i < 100; i *= 3) sum += i;
    ASSERT(1 + 3 + 9 + 27 + 81, sum);
    sum = 0;
#pragma unroll
    for (uint i = 64; i != 0; i >>= 1) sum += i;
    ASSERT(127, sum);
    sum = 0;
#pragma unroll
    for (char i = -3; i <= 3; i += 2) sum += i * i;
    ASSERT(9 + 1 + 1 + 9, sum);
    sum = 7;
#pragma unroll
    for (uint i = 5; i < 5; ++i) sum = 0;
    ASSERT(7, sum);
    uint i = 0;
#pragma unroll
    do { sum += primes[i]; } while (++i < 4);
    ASSERT(7 + 17, sum);
    ASSERT(4, i);
}

kernel void test_what_is_left(global uint *record, global uint *in) {
    uint a = 0, b = 1, last = 0, i;
#pragma unroll
    for (i = 0; i < 10; ++i) {  // the phis feed each other
        const uint next = a + b;
        a = b;
        b = next;
        if (in[i] & 1) last = in[i] + i;
        else last ^= in[i + 1];
    }
    ASSERT(10, i);
    ASSERT(55, a);
    ASSERT(89, b);
    ASSERT(9 + 9, last);
}

kernel void test_arrays(global uint *record, global uint *in) {
    uint w[8], v[4] = {0, 0, 0, 0};
    for (uint i = 0; i < 8; ++i) w[i] = in[i] * primes[i];
#pragma unroll
    for (uint i = 0; i < 32; ++i) w[i & 7] += w[(i + 1) & 7] ^ primes[i & 7];
    uint expected[8];
    volatile uint stays = 1;  // the same, in memory
    for (uint i = 0; i < 8; i += stays) expected[i] = in[i] * primes[i];
    for (uint i = 0; i < 32; i += stays) expected[i & 7] += expected[(i + 1) & 7] ^ primes[i & 7];
#pragma unroll
    for (uint i = 0; i < 8; ++i) ASSERT(expected[i], w[i]);
#pragma unroll
    for (uint y = 0; y < 4; ++y)
#pragma unroll
        for (uint x = 0; x < 4; ++x) v[(x + y) & 3] += in[4 * y + x];
    for (uint i = 0; i < 4; ++i) {
        uint sum = 0;
        for (uint y = 0; y < 4; ++y) sum += in[4 * y + ((i - y) & 3)];
        ASSERT(sum, v[i]);
    }
}

kernel void test_early_ends(global uint *record, global uint *in) {
    uint sum = 0;
#pragma unroll
    for (uint i = 0; i < 8; ++i) {
        if (in[i] == 2) continue;
        if (in[i] == 6) break;
        sum += in[i];
    }
    ASSERT(0 + 1 + 3 + 4 + 5, sum);
    sum = 0;
#pragma unroll
    for (uint i = 0; i < in[5]; ++i)
#pragma unroll
        for (uint k = 0; k < 3; ++k)
            if (k != in[1]) sum += 10 * i + k;
    ASSERT(5 * 2 + 2 * 100, sum);
}

kernel void test_copied_arrays(global uint *record, global uint *in) {
    uint a[128], b[128];
    for (int i = 0; i < 128; i++) a[i] = in[i];
    for (int i = 0; i < 128; i++) b[i] = a[i];
    b[in[7]] = 99;
    for (int i = 0; i < 128; i++) a[i] = b[i] + 1;
    ASSERT(100, a[in[7]]); ASSERT(128, a[in[127]]);
}
kernel void test_indexed_arrays(global uint *record, global uint *in) {
    uint a[32], sums[8];
    for (uint i = 0; i < 32; i++) a[i] = in[i];
    for (uint i = 0; i < 8; i++) sums[i] = 0;
    for (uint j = 0; j < 16; j++)
        for (uint i = 0; i < 32; i++) {
            a[i] += a[(i + in[j]) & 31] & 3;
            sums[i & 7] += a[i];
        }
    uint sum = 0;
    for (uint i = 0; i < 8; i++) sum += sums[i] * (i + 1);
    ASSERT(55806, sum);
}
