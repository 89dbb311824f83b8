// SPDX-License-Identifier: Apache-2.0
// Volatile stores and copies and atomic functions write private memory, too, and what pointers to const and restrict
// point to: a later load reads what they wrote. 1.9-23.
// OPTIONS: -cl-std=CL3.0
// RUN: global=16 local=8
#include "assert.h"

typedef struct { int a[5]; } Five;

kernel void test_arrays(global uint *record, global const int *in) {
    const int n = get_local_id(0);
    int x[20];
    for (int i = 0; i < 20; i++) x[i] = in[i];
    x[n] = 7;
    *(volatile int *)&x[n] = in[3] + 100;
    ASSERT(103, x[n]);
    x[n + 1] = 1;
    volatile int *v = &x[n + 1];
    *v = 55;
    ASSERT(55, x[n + 1]);
    ASSERT(n ? n - 1 : 103, x[n ? n - 1 : 0]);
}

kernel void test_atomics(global uint *record, global const int *in) {
    const int n = get_local_id(0);
    int x[20];
    for (int i = 0; i < 20; i++) x[i] = in[i];
    x[n] = 7;
    atomic_fetch_add((atomic_int *)&x[n], 5);
    ASSERT(12, x[n]);
    int y = 3;
    atomic_fetch_add((atomic_int *)&y, in[5]);
    ASSERT(8, y);
}

kernel void test_copies(global uint *record, global const int *in) {
    const int n = get_local_id(0) & 1;
    Five x[2], y[2];
    for (int i = 0; i < 5; i++) {
        x[0].a[i] = in[i];
        x[1].a[i] = in[i + 5];
        y[0].a[i] = y[1].a[i] = -1;
    }
    y[n].a[2] = 1;
    *(volatile Five *)&y[n] = x[n];
    ASSERT(n * 5 + 2, y[n].a[2]);
}

// Each work-item has an element of its own.
kernel void test_const_restrict(global uint *record, global const int *restrict p) {
    const int n = 2 * get_global_id(0);
    const int before = p[n];
    *(volatile global int *)&p[n] = 77;
    ASSERT(n + 77, before + p[n]);
    const int old = p[n + 1];
    atomic_add((volatile global int *)&p[n + 1], 5);
    ASSERT(2 * old + 5, old + p[n + 1]);
}

void bump(global int *p) { atomic_inc((volatile global int *)p); }

kernel void test_loops(global uint *record, global const int *restrict p) {
    const int n = 2 * get_global_id(0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += p[n];
        atomic_inc((volatile global int *)&p[n]);
    }
    ASSERT(4 * n + 6, sum);
    sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += p[n + 1];
        bump((global int *)&p[n + 1]);
    }
    ASSERT(4 * (n + 1) + 6, sum);
}
