// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// FLAGS: -cl-std=CL3.0
// Pointers to members of private structs that become numbers in memory, and lead from there to the other members: tags
// in links of a list, sums, differences.
#include "assert.h"

struct Node { int value, other, link; };
struct Three { int a, b, c; };
typedef union { private int *p; uintptr_t bits; } Link;
typedef struct { int *p; int n; } Slice;

int third(private int *p) {
    Link link;
    link.p = p;
    link.bits += 8;
    return *link.p;
}
void advance(private int **p, int by) { *(uintptr_t *)p += by; }
void advance_number(uintptr_t *p, int by) { *p += by; }

kernel void test_tags(global uint *record, global int *in) {
    struct Node a = {in[5], in[6], in[7]}, b = {in[8], in[9], in[10]};
    Link links[2];
    links[0].p = &a.link;
    links[1].p = &b.link;
    links[in[1]].bits |= 1;
    for (int i = 0; i < 2; ++i) {
        uintptr_t link = links[i].bits & ~(uintptr_t)1;
        private struct Node *n = (private struct Node *)(link - __builtin_offsetof(struct Node, link));
        n->value += 100;
        n->other = n->value + n->link;
    }
    ASSERT(105, a.value); ASSERT(112, a.other); ASSERT(108, b.value); ASSERT(118, b.other);
}

kernel void test_sums(global uint *record, global int *in) {
    struct Three a = {in[5], in[6], in[7]};
    Link link;
    link.p = &a.a;
    link.bits += 4;
    *link.p = 77;
    ASSERT(5, a.a); ASSERT(77, a.b);
    ulong number;
    *(int **)&number = &a.b;
    number += 4;
    **(int **)&number = 71;
    ASSERT(71, a.c);
    ASSERT(71, third(&a.a));
}

kernel void test_words(global uint *record, global int *in) {
    union { Slice slice; ulong longs[2]; uint words[4]; } x, y;
    struct Three a = {in[5], in[6], in[7]};
    x.slice.p = &a.a;
    x.slice.n = 3;
    y = x;
    y.words[0] += 8;
    *y.slice.p = 100;
    ASSERT(5, a.a); ASSERT(6, a.b); ASSERT(100, a.c);
    int array[4] = {1, 2, 3, 4};
    x.slice.p = array;
    x.longs[0] += 12;
    *x.slice.p = 55;
    ASSERT(55, array[3]); ASSERT(3, y.slice.n);
}

kernel void test_copies(global uint *record, global int *in) {
    struct Three a = {in[5], in[6], in[7]};
    private int *p = &a.a;
    uintptr_t number;
    __builtin_memcpy(&number, &p, sizeof p);
    number += 4 * in[2];
    __builtin_memcpy(&p, &number, sizeof p);
    ASSERT(7, *p);
}

kernel void test_functions(global uint *record, global int *in) {
    struct Three a = {in[5], in[6], in[7]};
    private int *p = &a.a;
    advance(&p, 4);
    ASSERT(6, *p);
    Link link = {p};
    advance_number(&link.bits, 4 * in[1]);
    ASSERT(7, *link.p);
}

kernel void test_differences(global uint *record, global int *in) {
    struct Node a = {in[5], in[6], in[7]};
    Link x, y;
    x.p = &a.value;
    y.p = &a.link;
    ASSERT(8, y.bits - x.bits);
    ASSERT(1, x.bits < y.bits);
}

// Two types of pointers in one place.
kernel void test_types(global uint *record, global int *in) {
    struct { float x, y, z; } a = {1, 2, in[3]};
    union { private float *f; private uint *u; } x;
    x.f = &a.x;
    uint *p = x.u, sum = 0;
    for (int i = 0; i < in[3]; ++i) sum += *p++;
    ASSERT((uint)0x3f800000 + 0x40000000 + 0x40400000, sum);
}
