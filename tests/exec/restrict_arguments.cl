// SPDX-License-Identifier: Apache-2.0
// What restrict, constant and separate objects allow, and where it ends: barriers, pointers derived from one another,
// addresses that escape. 1.9-23.
// RUN: global=64 local=16
#include "assert.h"

kernel void test_accumulate(global uint *record, global const int *restrict in, global int *restrict sums) {
    int i = get_global_id(0);
    sums[i] = 0;
    for (int k = 0; k < 10; ++k) sums[i] += in[k] * i;
    ASSERT(45 * i, sums[i]);
    sums[i] = 1;
    for (int k = 0; k < i; ++k) { if (in[k] & 1) sums[i] += 2; else sums[i] -= 1; }
    ASSERT(1 + (i / 2) * 2 - (i + 1) / 2, sums[i]);
}
kernel void test_derived(global uint *record, global int *restrict p, global int *restrict other) {
    int i = 64 * get_global_id(0);
    global int *q = p + i, *r = other[40] ? p : other;
    q[1] = 5; p[i + 1] = 6; other[i + 1] = 7;
    ASSERT(6, q[1]); ASSERT(7, other[i + 1]);
    r[i + 2] = 8;
    ASSERT(8, p[i + 2]);
    r = other[i + 3] == i + 3 ? other : p;
    r[i + 2] = 9;
    ASSERT(9, other[i + 2]); ASSERT(8, p[i + 2]);
    global int *kept[2] = {q, other};
    *kept[other[40] - 40] = 11;
    ASSERT(11, q[0]); ASSERT(11, p[i]);
    ((global short *)q)[1] = 1;
    ASSERT(0x0001000b, q[0]);
}
kernel void test_barrier(global uint *record, global int *restrict p, local int *restrict box, local int *restrict other) {
    int l = get_local_id(0), first = get_global_id(0) - l;
    p[first + l] = l; box[l] = 10 * l; other[l] = 20 * l;
    ASSERT(l, p[first + l]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int next = (l + 1) % 16;
    ASSERT(next, p[first + next]); ASSERT(10 * next, box[next]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    box[next] = 30 * next; p[first + next] = 40 * next;
    ASSERT(20 * l, other[l]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ASSERT(30 * l, box[l]); ASSERT(40 * l, p[first + l]); ASSERT(20 * l, other[l]);
    for (int k = 0; k < 4; ++k) {
        int mine = box[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        box[next] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ASSERT(30 * ((l + 12) % 16), box[l]);
}
kernel void test_private(global uint *record, global int *in) {
    int a[40], b[40], n = in[40];
    for (int i = 0; i < n; ++i) { a[i] = in[n - 1 - i]; b[i] = 0; }
    for (int i = 1; i < n; ++i) {
        int key = a[i], j = i - 1;
        while (j >= 0 && a[j] > key) { a[j + 1] = a[j]; ++b[0]; --j; }
        a[j + 1] = key;
    }
    for (int i = 0; i < n; ++i) ASSERT(i, a[i]);
    ASSERT(n * (n - 1) / 2, b[0]);
    int *p = in[1] ? a : b;
    a[in[2]] = 1; p[2] = 50; b[2] = 51;
    ASSERT(50, a[in[2]]); ASSERT(51, b[2]);
    long *pairs = (long *)(in[1] ? a : b);
    a[3] = 2; pairs[1] = 0;
    ASSERT(0, a[3]);
}
constant int squares[] = {0, 1, 4, 9, 16};
kernel void test_constant(global uint *record, constant int *table, global int *out) {
    int i = get_global_id(0);
    int first = table[i] + squares[i % 5];
    out[i] = 100;
    barrier(CLK_GLOBAL_MEM_FENCE);
    ASSERT(first, table[i] + squares[i % 5]); ASSERT(i + (i % 5) * (i % 5), first);
}
int last(global int *restrict p, global int *restrict q, int n) {
    for (int i = 0; i < n; ++i) { q[i] = p[0]; p[0] += q[i]; }
    return p[0];
}
kernel void test_functions(global uint *record, global int *p, global int *q) {
    int i = 64 * get_global_id(0);
    p[i] = 1;
    ASSERT(8, last(p + i, q + i, 3)); ASSERT(8, p[i]); ASSERT(4, q[i + 2]);
    p[i] = 1;
    ASSERT(32, last(p + i, p + i + 1, 5)); ASSERT(16, p[i + 5]);
}
kernel void test_bounds(global uint *record, global const int *restrict ends, global int *restrict sums, global int *any) {
    int i = get_global_id(0), rounds = 0;
    for (int k = ends[i % 8]; k < ends[i % 8 + 3]; ++k) { sums[i] = k; ++rounds; }
    ASSERT(3, rounds); ASSERT(i % 8 + 2, sums[i]);
    // the bound is what the loop writes
    any[64 + i] = 5; rounds = 0;
    for (int k = 0; k < any[64 + i]; ++k) { any[64 + i] -= 1; ++rounds; }
    ASSERT(3, rounds); ASSERT(2, any[64 + i]);
    // never entered: nothing may be loaded from far outside
    for (int k = 0; k < ends[0]; ++k) sums[i] += ends[k + (1 << 28)] + ends[1 << 28];
    ASSERT(i % 8 + 2, sums[i]);
}
kernel void test_sums(global uint *record, global const int *restrict in, global int *restrict sums, local int *restrict box) {
    int i = get_global_id(0), l = get_local_id(0);
    sums[i] = 3;
    for (int k = 0; k < in[i % 4]; ++k) sums[i] += in[k + 1];
    ASSERT(3 + (i % 4) * (i % 4 + 1) / 2, sums[i]);
    sums[i] = 0; box[l] = 1;
    for (int k = 0; k < 6; ++k) {
        for (int m = 0; m < k; ++m) { if ((m & 1) == in[1]) continue; sums[i] += in[m]; box[l] += 2; }
        if (sums[i] > 6) break;
    }
    ASSERT(10, sums[i]); ASSERT(19, box[l]);
    // seen by others in each round
    sums[i] = i; box[l] = l;
    for (int k = 0; k < 3; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        int other = box[(l + 1) % 16] + sums[i - l + (l + 2) % 16];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        box[l] = other; sums[i] += 1;
    }
    ASSERT(i + 3, sums[i]);
    // nothing is stored where the program stores nothing
    sums[i] = 5;
    if (in[i] < 0) { sums[1 << 28] = 0; for (int k = 0; k < in[i]; ++k) sums[1 << 28] += 1; }
    ASSERT(5, sums[i]);
}
kernel void test_sums_that_overlap(global uint *record, global int *in, global int *sums) {
    int i = 64 * get_global_id(0);
    global int *p = in + i, *q = in[40] ? p : sums;
    p[0] = 1;
    for (int k = 0; k < 4; ++k) { p[0] += 1; q[1] = p[0]; p[0] += q[0]; }
    ASSERT(46, p[0]); ASSERT(23, q[1]);
}

kernel void test_address_from_a_join(global uint *record, global int *restrict in, global int *restrict count,
                                     global int *restrict out, global int *restrict table) {
    if (get_global_id(0) != 0) return;  // all count in one place
    *count = in[3];
    int i = 0;
    do {
        out[i] = table[*count & 3];  // another place each time, though the loop does not write to the table
        if (in[i] == 7) goto end;
        --*count;
    } while (++i < in[4]);
    for (i = 0; i < 4; i++) ASSERT(3 - i, out[in[i]]);
end:
    ASSERT(-1, *count);
}
