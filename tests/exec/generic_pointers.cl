// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Generic pointers: one function for every space (1.5.5-4), a space chosen at run time (1.5.5-5) and changed (1.5.5-6), NULL
// (1.5.6-5, 1.5.6-12), comparison (1.5.6-10), to_global, to_local, to_private (1.13.9-1), get_fence (1.13.9-2).
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

typedef struct { int *p; char tag; } Box;
typedef union { float f; uint u; uchar b[4]; } Pun;
global int shared_words[3];

int sum(int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
void fill(uchar *p, int n, uchar value) { for (int i = 0; i < n; i++) p[i] = value + i; }
void exchange(Box *a, Box *b) { Box t = *a; *a = *b; *b = t; }
int space_of(void *p) { return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0; }

kernel void test_every_space(global uint *record, global int *in, global int *out) {
    local int here[4];
    int mine[4];
    fill((uchar *)here, 16, in[1]); fill((uchar *)mine, 16, in[17]); fill((uchar *)out, 16, in[33]);
    ASSERT(0x04030201 + 0x08070605, sum(here, 2)); ASSERT(0x1c1b1a19, mine[2]); ASSERT(0x24232221, out[0]);
    ASSERT(1 + 2 + 3, sum(in + 1, 3)); ASSERT(0, sum(shared_words, 3));
    int *p = in[1] ? here : (int *)mine; *p = 42; ASSERT(42, here[0]);
    p = in[0] ? here : (int *)mine; *p = 43; ASSERT(43, mine[0]);
    p = out; *p += 1; ASSERT(0x24232222, out[0]); p = shared_words + 1; *p = 5; ASSERT(5, shared_words[1]);
}

kernel void test_functions(global uint *record, global int *in) {
    local long here;
    char mine;
    void *all[4] = {in, &here, &mine, 0};
    for (int i = 0; i < 4; i++) ASSERT((i + 1) % 4, space_of(all[in[i]]));
    int *any = all[in[1]];
    ASSERT(1, to_local(any) == (local int *)&here); ASSERT(1, to_global(any) == 0); ASSERT(1, to_private(any) == 0);
    ASSERT(CLK_GLOBAL_MEM_FENCE, get_fence(all[in[0]])); ASSERT(CLK_LOCAL_MEM_FENCE, get_fence(all[in[1]]));
}

kernel void test_comparison(global uint *record, global int *in, global int *out) {
    local int here[4];
    int mine[4], *p = in[1] ? here : (int *)mine, *q = here, *none = in[0] ? here : 0;
    ASSERT(1, p == q); ASSERT(1, p + in[2] > q); ASSERT(2, p + 2 - q); ASSERT(1, p != mine); ASSERT(1, none == NULL);
    ASSERT(1, !none); ASSERT(1, p && q); ASSERT(0, (intptr_t)none); ASSERT(1, (int *)(intptr_t)p == here);
    global int *none_global = 0; local int *none_local = 0; none = none_global;
    ASSERT(1, none == none_local); none = in[1] ? out : none; ASSERT(1, none == out);
}

kernel void test_in_objects(global uint *record, global int *in, global int *out) {
    local int here[2];
    local Box kept;
    int mine[2] = {70, 71};
    here[0] = 50; here[1] = 51;
    Box boxes[3] = {{mine, 'm'}, {here, 'h'}, {out, 'o'}};
    exchange(boxes, boxes + in[2]); exchange(&boxes[in[1]], boxes);
    ASSERT('h', boxes[0].tag); ASSERT(51, boxes[in[0]].p[1]); ASSERT(70, *boxes[in[2]].p); ASSERT(1, boxes[in[1]].p[1]);
    kept = boxes[in[2]]; exchange(&kept, boxes); ASSERT('h', kept.tag); ASSERT(51, kept.p[in[1]]); ASSERT(71, boxes->p[1]);
    int **pp = &boxes[in[1]].p; ++*pp; **pp = 9; ASSERT(9, out[1]); *pp = mine; ASSERT(70, *boxes[1].p);
}

kernel void test_punning(global uint *record, global int *in, global Pun *out) {
    local Pun here;
    Pun mine, *all[3] = {&mine, &here, out};
    for (int i = 0; i < 3; i++) {
        Pun *p = all[in[i]];
        p->f = 1.0f; ASSERT(0x3f800000, p->u); p->b[in[3]] = 0xc0 + i; ASSERT(0xc0800000 + (i << 24), p->u);
        ASSERT(0x80, ((uchar *)p)[in[2]]); ((ushort *)p)[in[0]] = 7; ASSERT(7, p->b[0]);
    }
    ASSERT(0xc0800007, mine.u); ASSERT(0xc1800007, here.u); ASSERT(0xc2800007, out->u);
}

kernel void test_wide(global uint *record, global int *in, global int *out) {
    local float4 here[2];
    ulong3 mine[2];
    float4 *f = in[1] ? here : (float4 *)mine;
    ulong3 *l = in[0] ? (ulong3 *)here : mine;
    f[1] = (float4)(1, 2, 3, in[4]); ASSERT_BITS(0x40800000, here[1].w); f[in[1]].y = in[9]; ASSERT_BITS(0x41100000, f[1].y);
    l[in[1]] = (ulong3)(1, 2, 1ul << 63); ASSERT_LONG(1ul << 63, mine[1].z); ASSERT_LONG(2, l[1].y);
    int *p = in[1] ? out : (int *)mine; vstore3((int3)(7, 8, in[9]), 1, p + 1); ASSERT(9, out[6]); ASSERT(7, vload4(0, p + 4).x);
}
