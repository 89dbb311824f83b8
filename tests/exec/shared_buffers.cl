// SPDX-License-Identifier: Apache-2.0
// Pointers of two arguments to one buffer: they are equal, ordered and subtracted as their bytes are (C99 6.5.6p9,
// 6.5.8p5, 6.5.9p6). Without device addresses, each is the number of a descriptor and an offset.
// ALWAYS: descriptors, only-32-bits
// OPTIONS: -cl-std=CL2.0
// RUN: overlap
#include "assert.h"

global int other = 5;

int distance(global int *from, global int *to) { return (int)(to - from); }
int same(int *a, int *b) { return a == b; }

kernel void test_comparisons(global uint *record, global int *a, global int *b, constant int *c) {
    ASSERT(true, a == b);
    ASSERT(false, a != b);
    ASSERT(true, a + 3 == b + 3);
    ASSERT(false, a + 3 == b + 4);
    ASSERT(true, a < b + 1);
    ASSERT(false, a < b);
    ASSERT(true, b + 2 >= a + 2);
    ASSERT(true, b + a[7] > a + b[6]);
    ASSERT(true, (global const int *)a != &other);
    ASSERT(true, a != 0 && b != 0);
    ASSERT(true, (ulong)c == (ulong)a);
    ASSERT(true, (uintptr_t)(c + 1) == (uintptr_t)(b + 1));
}

kernel void test_differences(global uint *record, global int *a, global int *b, global short *s) {
    ASSERT(5, distance(a, b + 5));
    ASSERT(-5, distance(b + 5, a));
    ASSERT(4, (int)((global short *)(b + 2) - s));
    ASSERT(12, (int)((size_t)(a + 3) - (size_t)b));
}

kernel void test_integers(global uint *record, global int *a, global int *b) {
    global int *third = (global int *)((ulong)b + 8);
    ASSERT(2, *third);
    ASSERT(true, third == a + 2);
    *third = 77;
    ASSERT(77, a[2]);
    ASSERT(77, b[2]);
    global int *across = (global int *)((ulong)a + ((ulong)(b + 4) - (ulong)a));
    ASSERT(4, *across);
}

kernel void test_chosen(global uint *record, global int *a, global int *b, global int *c) {
    global int *p = a[1] ? a : b, *q = b[1] ? b : a, *all[] = {a, b, c, &other};
    ASSERT(true, p == q);
    ASSERT(true, p == a && p == b && q == c);
    ASSERT(3, (int)(q + 3 - p));
    ASSERT(true, all[a[1]] == all[b[2]]);
    ASSERT(false, all[a[1]] == all[b[3]]);
    ASSERT(true, same(a, b));
    ASSERT(true, same(p + 1, c + 1));
    int own = 0;
    ASSERT(false, same(&own, b));
    int turns = 0;
    for (global int *i = a; i != b + 4; ++i) turns += *i;
    ASSERT(0 + 1 + 2 + 3, turns);
}
