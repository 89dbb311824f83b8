// SPDX-License-Identifier: Apache-2.0
// Control flow that no OpenCL C has: control_flow.spvasm has the functions. Work-items go different ways.
// RUN: global=1 local=1
// RUN: global=48 local=48
#include "assert.h"

int swap(int p);
int last(int p);
int irreducible(int p);
int cases(long p);
int same_targets(int p);
int many_ways(int p);
int unreachable(int p);
int scattered(int p);
int two_ways(int p);

kernel void test_values(global uint *record, global int *in) {
    ASSERT(0, swap(in[0])); ASSERT(1, swap(in[1])); ASSERT(13, swap(in[7])); ASSERT(6765, swap(in[20]));
    ASSERT(301, last(in[0])); ASSERT(301, last(in[101])); ASSERT(328, last(in[110])); ASSERT(98, irreducible(in[0])); ASSERT(98, irreducible(in[1])); ASSERT(99, irreducible(in[2])); ASSERT(99, irreducible(in[3])); ASSERT(99, irreducible(in[50]));
    ASSERT(101, cases(in[0])); ASSERT(2, cases(in[1])); ASSERT(1, cases(in[2])); ASSERT(11, cases((long)in[1] << 32)); ASSERT(11, cases(in[0] - 1l)); ASSERT(1, cases(((long)in[1] << 32) + 1));
    ASSERT(10, same_targets(in[0])); ASSERT(100, same_targets(in[1])); ASSERT(100, same_targets(in[9])); ASSERT(10, unreachable(in[1])); ASSERT(100, unreachable(in[2]));
    ASSERT(0, many_ways(in[0])); ASSERT(500, many_ways(in[3])); ASSERT(3000, many_ways(in[9])); ASSERT(6300, many_ways(in[17])); ASSERT(8400, many_ways(in[18])); ASSERT(135, many_ways(in[1000]));
    ASSERT(1, scattered(in[0])); ASSERT(16, scattered(in[1])); ASSERT(12, scattered(in[3])); ASSERT(14, scattered(in[7])); ASSERT(18, scattered(in[9])); ASSERT(15, scattered(in[25]));
}

// Against the same in OpenCL C
int irreducible_again(int p) { for (int odd = p & 1;; odd ^= 1) { p -= odd ? 1 : 2; if (p < 0) return p + 100; } }
int scattered_again(int p) {
    if (p >= 10) return p - 10;
    for (;;) { p *= 2; if (p >= 10) return p; if (p == 0) return 1; }
}
kernel void test_divergent(global uint *record, global int *in) {
    const int p = in[get_global_id(0)];
    ASSERT(irreducible_again(p), irreducible(p)); ASSERT(scattered_again(p), scattered(p));
    int a = 0, b = 1;
    for (int i = 0; i < p; i++) { int next = a + b; a = b; b = next; }
    ASSERT(a, swap(p)); ASSERT(p < 102 ? 301 : 3 * p - 2, last(p));
    ASSERT(p == 0 ? 101 : p == 1 ? 2 : 1, cases(p)); ASSERT(p ? 100 : 10, same_targets(p));
    ASSERT(p == 10 ? 11 : 12, two_ways(p));
}
