// SPDX-License-Identifier: Apache-2.0
// Program-scope variables in global memory: initialised with addresses of others (1.5.1-4, 1.5.1-6), zero when nothing is said
// (1.5.1-7), shared by kernels and kept from one to the next (1.5.1-5), static in functions and loops (1.8-7).
// OPTIONS: -cl-std=CL2.0
// NEEDS: addresses
#include "assert.h"

typedef struct Node { int value; global struct Node *next; global int *data[2]; } Node;
global int words[6] = {1, 2, 3, 4, 5, 6};
global Node last = {30, 0, {words + 5, 0}};
global Node middle = {20, &last, {words + 1, words + 2}};
global Node *global head = &middle;
global Node list[2] = {{1, &middle, {words}}, {2, &last, {&words[3], words}}};
constant char name[] = "node";
constant struct { constant char *text; int length; } names[2] = {{name, 4}, {"other", 5}};
global int zeros[4];
global struct { long l; bool b; global int *p; } nothing;
global float4 vector = (float4)(1, 2, 3, 4);
static global uchar bytes[3] = {1, 2, 3};

int sum(global Node *n) { int s = 0; for (; n; n = n->next) s += n->value + *n->data[0]; return s; }
int next_number(void) { static global int number = 100; return number++; }

kernel void test_1_initialisers(global uint *record, global int *in) {
    ASSERT(20 + 2 + 30 + 6, sum(head)); ASSERT(1 + 1 + 20 + 2 + 30 + 6, sum(list)); ASSERT(3, *middle.data[in[1]]);
    ASSERT(1, last.next == 0); ASSERT(1, list[in[0]].next == head);
    ASSERT('d', names[in[0]].text[in[2]]); ASSERT('t', names[in[1]].text[in[1]]); ASSERT(5, names[in[1]].length);
    for (int i = 0; i < 4; i++) ASSERT(0, zeros[i]);
    ASSERT(0, nothing.l); ASSERT(0, nothing.b); ASSERT(1, nothing.p == 0); ASSERT(3, bytes[in[2]]);
    ASSERT_BITS(0x40400000, vector.z); ASSERT_BITS(0x40800000, ((global float *)&vector)[in[3]]);
}
kernel void test_2_writes(global uint *record, global int *in) {
    ASSERT(100, next_number()); ASSERT(101, next_number());
    for (int i = 0; i < 3; i++) { static global int turns = 5; ASSERT(5 + i, turns++); }
    zeros[in[2]] = 7; nothing.l = 1l << 40; nothing.p = words + in[4]; *nothing.p = 55; bytes[in[1]]++; vector.y = 9;
    last.next = &list[in[1]]; list[1].next = 0; head = list + in[1]; words[1] = -2;
}
kernel void test_3_kept(global uint *record, global int *in) {
    ASSERT(102, next_number()); ASSERT(7, zeros[in[2]]); ASSERT_LONG(1l << 40, nothing.l); ASSERT(55, *nothing.p);
    ASSERT(55, words[in[4]]); ASSERT(3, bytes[1]); ASSERT(2, bytes[in[1]] - 1); ASSERT_BITS(0x41100000, vector.y);
    ASSERT(2 + 4, sum(head)); ASSERT(20 - 2 + 30 + 6 + 2 + 4, sum(&middle));
}
