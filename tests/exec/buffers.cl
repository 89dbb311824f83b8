// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors, only-32-bits
// Pointers to several buffers: which one is known only when the kernel runs, so that without device addresses an access
// must find its buffer.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

typedef struct { int a; float f[3]; char c; } Thing;

constant int squares[] = {0, 1, 4, 9, 16, 25};
constant int cubes[] = {0, 1, 8, 27, 64, 125};
constant int *constant tables[] = {squares + 1, cubes + 1};
global int counter = 7;
global int *global where = &counter;

global int *choose(global int *a, global int *b, int which) { return which ? b : a; }
int sum(global int *p, int n) {
    int total = 0;
    while (n--) total += *p++;
    return total;
}

kernel void test_select(global uint *record, global int *in, global int *out) {
    global int *p = in[1] ? out : in;
    global int *q = in[0] ? out : in;
    p[3] = 33;
    ASSERT(33, out[3]); ASSERT(3, in[3]); ASSERT(3, q[3]);
    ASSERT(1, p == out); ASSERT(1, p != q); ASSERT(1, p != 0);
    vstore4((int4)(1, 2, 3, 4) * 100, 1, p + 1);
    ASSERT(100, out[5]); ASSERT(400, out[8]); ASSERT(9, out[9]);
    ASSERT(5, vload3(1, q + 2).x);
    *(global uchar *)((global char *)p + 2) = 0xab;
    ASSERT(0x00ab0000, out[0]);
    *(global ulong *)(p + 4) = 0x3ff8000000000001ul;
    ASSERT(0x3ff80000, out[5]);
}

kernel void test_loop(global uint *record, global int *in, global int *out) {
    ASSERT(0 + 1 + 2 + 3, sum(in, 4));
    ASSERT(10 + 11, sum(choose(in, out, in[1]) + 10, 2));
    global int *first = in + 2, *last = in + 6;
    int total = 0;
    for (global int *p = first; p != last; ++p) total = total * 10 + *p;
    ASSERT(2345, total);
    global int *before = in - 1;
    ASSERT(0, before[in[1]]); ASSERT(7, before[in[8]]);
    ASSERT_LONG(4, last - first); ASSERT(1, first < last);
    for (global int *p = last; p-- > first;) total -= *p;
    ASSERT(2345 - 14, total);
}

kernel void test_atomics(global uint *record, global int *in, global int *out) {
    volatile global int *p = in[1] ? out : in;
    ASSERT(5, atomic_add(p + 5, 10)); ASSERT(15, out[5]); ASSERT(5, in[5]);
    ASSERT(15, atomic_cmpxchg(p + 5, 15, -1)); ASSERT(-1, atomic_max(p + 5, 3)); ASSERT(3, out[5]);
    ASSERT(6, atomic_xchg((volatile global uint *)p + 6, 60u)); ASSERT(60, out[6]);
}

kernel void test_copies(global uint *record, global int *in, global int *out) {
    global Thing *things = (global Thing *)(in[1] ? out : in);
    Thing t = things[in[2]];
    ASSERT(10, t.a);
    t.f[1] = 2.5f; t.c = -3;
    things[1] = t;
    ASSERT(10, out[5]); ASSERT_BITS(0x40200000, *(global float *)&out[7]); ASSERT(-3, (char)out[9]);
    global Thing *other = (global Thing *)(in[0] ? out : in);
    *other = things[1];
    ASSERT(10, in[0]); ASSERT(1, in[0] == out[5]);
}

kernel void test_private_table(global uint *record, global int *in, global int *out) {
    global int *table[3] = {in + 1, out + 10, in + 20};
    int two = in[2];
    ASSERT(20, *table[two]); ASSERT(10, *table[two - 1]); ASSERT(1, *table[two - 2]);
    table[two][1] = -21;
    ASSERT(-21, in[21]);
    ulong bits = (ulong)(out + 4);
    ASSERT(5, ((global int *)(bits + 4))[0]);
}

kernel void test_generic(global uint *record, global int *in, local int *scratch, global int *out) {
    int mine[2] = {70, 80};
    scratch[0] = 50; scratch[1] = 60;
    int *any[4] = {in + 4, mine, scratch, out + 6};
    int total = 0;
    for (int i = 0; i < 4; ++i) {
        total += any[i][in[1]];
        any[i][0] = i;
    }
    ASSERT(5 + 80 + 60 + 7, total);
    ASSERT(0, in[4]); ASSERT(1, mine[0]); ASSERT(2, scratch[0]); ASSERT(3, out[6]);
    ASSERT(1, to_global(any[in[3]]) == out + 6); ASSERT(1, to_local(any[in[3]]) == 0);
}

// Program-scope memory: tables of pointers, a variable that keeps its value from kernel to kernel.
kernel void test_program_scope(global uint *record, global int *in) {
    ASSERT(4, tables[in[0]][in[1]]); ASSERT(8, tables[in[1]][in[1]]);
    constant int *t = in[1] ? cubes : squares;
    ASSERT(27, t[in[3]]);
    ASSERT(7, counter);
    counter += in[1];
    *where += 100;
    ASSERT(108, counter); ASSERT(1, where == &counter);
}
kernel void test_program_scope_again(global uint *record, global int *in) {
    ASSERT(108, *(in[1] ? where : in));
}
