// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Generic pointers that can point into one space only, which infer_spaces finds where accesses are checked: in
// variables, members and results of functions, through loops, NULL and integers; and beside them pointers into several
// spaces.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

typedef struct Node { struct Node *next; int *value; int own; } Node;
typedef struct { int *mine; global int *theirs; int **to_mine; } Both;

int *later(int *p, int n) { return p + n; }
int *first_positive(int *p, int n) {
    for (int i = 0; i < n; i++, p++) if (*p > 0) return p;
    return 0;
}
int total(Node *list) {
    int sum = 0;
    for (Node *n = list; n; n = n->next) sum += *n->value;
    return sum;
}
void redirect(int **p, int *to) { *p = to; }
int read(int *p) { return *p; }

kernel void test_private_only(global uint *record, global int *in) {
    int a[6] = {0, -1, in[2], in[3], 0, 9}, b = in[7];
    int *p = first_positive(a, 6), *none = first_positive(a, 2), **pp = &p;
    ASSERT(in[2], *p); ASSERT(0, none != 0); ASSERT(in[3], *later(p, 1));
    redirect(pp, &b); ASSERT(in[7], *p); **pp += 5; ASSERT(in[7] + 5, b);
    redirect(&p, in[0] ? 0 : a + 5); ASSERT(9, **pp); ASSERT(5, (int)(p - a));
    int *q = p;
    for (int i = 0; i < 3; i++) q = in[0] ? 0 : q - 1;
    ASSERT(in[2], *q); ASSERT(1, q < p); ASSERT(3 * sizeof(int), (uintptr_t)p - (uintptr_t)q);
}

kernel void test_lists(global uint *record, global int *in) {
    Node nodes[3];
    for (int i = 0; i < 3; i++) {
        nodes[i].next = i < 2 ? nodes + i + 1 : 0; nodes[i].own = in[i + 1]; nodes[i].value = &nodes[i].own;
    }
    ASSERT(in[1] + in[2] + in[3], total(nodes));
    nodes[1].value = nodes[0].value; ASSERT(2 * in[1] + in[3], total(nodes));
    nodes[0].next->next = 0; ASSERT(2 * in[1], total(nodes));
}

kernel void test_local_only(global uint *record, global int *in) {
    local int words[4];
    int *kept[2];
    for (int i = 0; i < 4; i++) words[i] = in[i + 4];
    int *p = words + 1, *q = in[0] ? 0 : p + 1;
    kept[0] = words + 3;
    ASSERT(in[5], *p); ASSERT(in[6], *q); ASSERT(in[7], *kept[0]);
    ASSERT(2, (int)((local int *)kept[0] - (local int *)p));
    atomic_add((local int *)p, 3); ASSERT(in[5] + 3, words[1]);
}

kernel void test_several_spaces(global uint *record, global int *in, global int *out) {
    local int here;
    int mine = in[4];
    here = in[5]; out[0] = in[6];
    Both both = {&mine, out, &both.mine};
    ASSERT(in[4], **both.to_mine); ASSERT(in[6], *both.theirs);
    ASSERT(in[4] + in[5] + in[6], read(&mine) + read(&here) + read(out));
    int *any = in[0] ? both.mine : both.theirs;
    ASSERT(in[6], *any); redirect(&any, &here); ASSERT(in[5], *any);
    redirect(both.to_mine, any); ASSERT(in[5], *both.mine);
    ASSERT(1, to_local(any) == &here); ASSERT(0, to_private(any) != 0); ASSERT(1, to_private(&mine) == &mine);
}

kernel void test_integers(global uint *record, global int *in) {
    int a[4] = {in[1], in[2], in[3], in[4]};
    int *p = a;
    ulong number = (ulong)p;
    p = (int *)(number + 8); ASSERT(in[3], *p);
    int *copies[2];
    uchar *from = (uchar *)&p, *to = (uchar *)&copies[1];
    for (int i = 0; i < 8; i++) to[i] = from[i];
    ASSERT(in[3], *copies[1]);
}
