// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Pointers as integers: casts, comparisons, tables, out-parameters, pointers to pointers. 1.3.13-1, 1.3.14-1, 1.2.5-1.
// RUN: global=1
#include "assert.h"
int sum(global int *p, global int *end) { int s = 0; while (p != end) s += *p++; return s; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
global int *later(global int *p, int n) { return p + n; }
kernel void test_global(global uint *record, global int *in, global int *out) {
    ASSERT(0 + 1 + 2 + 3 + 4, sum(in, in + 5));
    global int *p = in + 10, *q = later(in, in[30]);
    ASSERT_LONG(20, q - p); ASSERT(1, q > p); ASSERT(1, p[-1] == 9);
    ASSERT(30, *q--); ASSERT(29, *q); ASSERT(30, *++q);
    p = in[1] ? q : p;
    ASSERT(30, *p);
    global int *none = 0;
    ASSERT(0, none != 0); ASSERT(1, !none); ASSERT(1, p && 1);
    ulong address = (ulong)p;
    ASSERT(31, *(global int *)(address + 4));
    global char *bytes = (global char *)in;
    ASSERT(7, bytes[28]); ASSERT(0x0100, *(global short *)(bytes + 4 * in[256]));
    global ulong *wide = (global ulong *)in;
    ASSERT_LONG(0x0000000500000004ul, wide[2]);
    global int *table[3] = {in + 1, in + 2, in + 3};
    ASSERT(3, *table[in[2]]);
    table[in[0]] = out;
    *table[0] = 77;
    ASSERT(77, out[0]);
    global int **pp = &table[1];
    (*pp)++;
    ASSERT(3, *table[1]);
}
kernel void test_private(global uint *record, global int *in) {
    int a = in[1], b = in[2];
    swap(&a, &b);
    ASSERT(2, a); ASSERT(1, b);
    int *p = in[3] ? &a : &b;
    *p = 40;
    ASSERT(40, a); ASSERT(1, b);
    int array[5], *q = array + in[4];
    for (int i = 0; i < 5; i++) array[i] = i * i;
    ASSERT(16, *q); ASSERT(9, q[-1]); ASSERT_LONG(4, q - array); ASSERT(1, q >= array);
    int *rows[2] = {array, &a};
    ASSERT(40, *rows[in[1]]); ASSERT(4, rows[0][in[2]]);
    float f = in[1];
    ASSERT(0x3f800000, *(uint *)&f);
    int4 v = (int4)(1, 2, 3, 4);
    int *pv = (int *)&v;
    pv[in[2]] = 33;
    ASSERT(33, v.z);
    int **pp = &p;
    **pp = 41; *pp = &b;
    ASSERT(41, a); ASSERT(1, *p);
}
// An integer to which a pointer is added has the sum's address (a warning, as in clang 14).
kernel void test_added(global uint *record, global int *in) {
    const ulong address = (ulong)in;
    ulong sum = 2;
    sum += in;
    ASSERT_LONG(address + 8, sum);
    uint low = 3;
    low += (global char *)in;
    ASSERT((uint)address + 3, low);
    short small = -1;
    ASSERT((short)(address - 4), small += in);
    ASSERT((short)(address - 4), small);
}
