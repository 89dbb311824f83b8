// SPDX-License-Identifier: Apache-2.0
// Every argument after the record is the same buffer: what is loaded through one must see what was stored through another,
// whatever the translator knows of other pointers (C99 6.7.3.1 only speaks of restrict). 1.1.8-1.
// RUN: overlap
#include "assert.h"

kernel void test_arguments(global uint *record, global int *a, global int *b, global const int *c) {
    int before = a[1] + c[1];
    b[1] = 40;
    ASSERT(2, before); ASSERT(40, a[1]); ASSERT(40, c[1]);
    a[2] = 5; b[2] = 6;
    ASSERT(6, a[2]);
    int i = a[3];
    a[i] = 7; b[i + 1] = 8; a[4] = 9; b[i] = 10;
    ASSERT(10, a[i]); ASSERT(9, b[i + 1]); ASSERT(10, c[3]);
}
kernel void test_types(global uint *record, global int *a, global short *b, global float *f, global uchar *bytes) {
    a[1] = 0x11223344;
    b[3] = 0x55;
    ASSERT(0x00553344, a[1]);
    f[1] = 1.0f;
    ASSERT(0x3f800000, a[1]);
    bytes[4] = 0x7f;
    ASSERT_BITS(0x3f80007f, f[1]);
    a[1] = 0;
    ASSERT_BITS(0, f[1]);
}
kernel void test_vectors(global uint *record, global int4 *v, global int *a, global int2 *pairs) {
    v[1] = (int4)(1, 2, 3, 4);
    a[6] = 30;
    ASSERT(30, v[1].z); ASSERT(4, v[1].w);
    pairs[2] = (int2)(50, 60);
    ASSERT(50, v[1].x); ASSERT(60, v[1].y); ASSERT(30, v[1].z);
    int4 whole = v[1];
    ASSERT(60, whole.y); ASSERT(30, whole.z);
    v[1].y = 61;
    ASSERT(61, a[5]); ASSERT(61, v[1].y); ASSERT(50, a[4]);
    vstore3((int3)(7, 8, 9), 0, a + 5);
    ASSERT(8, v[1].z); ASSERT(7, v[1].y);
}
kernel void test_loops(global uint *record, global int *sum, global int *in) {
    // in[0] is sum[0]: the loop's bound and terms change as it runs
    sum[0] = 4;
    for (int i = 1; i < in[0]; ++i) sum[0] -= 1;
    ASSERT(2, sum[0]);
    sum[10] = 1;
    for (int i = 10; i < 15; ++i) sum[i + 1] = in[i] * 2;
    ASSERT(32, in[15]);
    for (int i = 20; i < 25; ++i) { int last = in[i]; sum[i + 1] = last + 100; ASSERT(last, in[i]); }
    ASSERT(520, in[25]);
    int found = -1, key = 300;
    for (int i = 30; i < 40; ++i) { sum[i] = key + i - 32; if (in[32] == key) { found = i; break; } }
    ASSERT(32, found);
}
kernel void test_branches(global uint *record, global int *a, global int *b) {
    a[1] = 1;
    if (b[5] == 5) b[1] = 2; else a[2] = 3;
    ASSERT(2, a[1]); ASSERT(2, b[2]);
    for (int i = 0; i < 3; ++i) { if (a[1] == i + 2) b[1] = i + 3; else a[7] = 0; }
    ASSERT(5, a[1]); ASSERT(7, b[7]);
    switch (a[8]) { case 8: b[9] = 1; break; case 9: a[9] = 2; break; default: b[10] = 3; }
    ASSERT(1, a[9]); ASSERT(10, a[10]);
}
void set(global int *p, int value) { *p = value; }
int get(global const int *p) { return *p; }
kernel void test_calls(global uint *record, global int *a, global int *b, global volatile int *v) {
    a[1] = 1;
    set(b + 1, 2);
    ASSERT(2, a[1]);
    int before = get(a + 2);
    set(b + 2, before + 1);
    ASSERT(3, get(a + 2)); ASSERT(3, a[2]);
    v[1] = 9;
    ASSERT(9, a[1]); ASSERT(9, v[1]);
    atomic_inc(b + 1);
    ASSERT(10, a[1]);
}
typedef struct { int x, y; global int *p; } Node;
kernel void test_pointers_in_memory(global uint *record, global int *a, global Node *nodes) {
    nodes[2].x = 1;
    ASSERT(1, a[8]);
    a[9] = 2;
    ASSERT(2, nodes[2].y);
    global int *p = a[5] ? a + 16 : a;
    Node n = {1, 2, a + 17};
    *p = 3; *n.p = 4; a[16] = 5; a[17] = 6;
    ASSERT(5, *p); ASSERT(6, *n.p);
    int index = a[20] - 4;
    a[index] = 7; a[16] = 8;
    ASSERT(8, a[index]); ASSERT(8, *p);
}
