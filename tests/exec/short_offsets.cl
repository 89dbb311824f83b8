// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms, no-sub-groups
// Offsets from arguments that the translator may compute in 32 bits, and those that are negative.
#include "assert.h"

typedef struct { short s[3]; uchar c; int4 v; } Part;

kernel void test_indices(global uint *record, global int *p, global const int *zero, global int4 *v) {
    const uint u = zero[5];
    const size_t id = get_global_id(0) + get_local_id(0), l = u;
    const int i = zero[3];
    ASSERT(5, p[u]); ASSERT(12, p[u * 2 + 2]); ASSERT(4, p[u - 1]); ASSERT(7, p[id + 7]);
    ASSERT(8, p[l + i]); ASSERT(2, p[l - 3]); ASSERT(2, p[l - i]); ASSERT(10, p[l << 1]); ASSERT(2, p[l / 2]);
    ASSERT(3, p[i]); ASSERT(7, p[(uchar)(u + 258)]); ASSERT(9, p[(ushort)(u + 65540)]);
    ASSERT(1, p[(u & 12) >> 2]); ASSERT(20 + 23, v[u].x + v[u].w); ASSERT(22, v[l].s2); ASSERT(11, (p + 6)[u]);
    p[u + 30] = i; v[u + 5] = (int4)(1, 2, 3, 4);
    ASSERT(3, p[35]); ASSERT(3, v[10].z); ASSERT(36, p[36]);
}
kernel void test_negative(global uint *record, global int *p, global const int *zero, global uchar *bytes) {
    global int *const middle = p + zero[16];
    const size_t one = zero[1];
    const int minus = -zero[4];
    ASSERT(15, middle[-1]); ASSERT(15, middle[-(long)one]); ASSERT(15, *(middle - one)); ASSERT(12, middle[minus]);
    ASSERT(14, (middle - 2 * one)[0]); ASSERT(17, (middle - 2)[one * 3]); ASSERT(0x10, ((global uchar *)middle)[0]);
    ASSERT(8, bytes[one + 31]); ASSERT(13, (middle - 4)[one]);
    middle[minus] = 100;
    ASSERT(100, p[12]);
}
int third(global const int *p, uint at) { return p[at * 3]; }
void below(global uint *record, global const int *p, size_t at) { ASSERT(at - 2, p[-2]); ASSERT(at + 1, p[1]); }
kernel void test_functions(global uint *record, global int *p, global const int *zero) {
    const uint u = zero[6];
    ASSERT(18, third(p, u)); ASSERT(21, third(p + 3, u));
    below(record, p + u, u); below(record, &p[u * 2], 2 * u);
}
kernel void test_loops(global uint *record, global int *p, global const int *zero) {
    int sum = 0;
    AS_IT_STANDS for (uint i = zero[2]; i < zero[12]; i += zero[2]) sum = sum * 3 + p[i];
    int same = 0;
    AS_IT_STANDS for (size_t i = zero[2]; i < zero[12]; i += zero[2]) same = same * 3 + p[i];
    ASSERT((((2 * 3 + 4) * 3 + 6) * 3 + 8) * 3 + 10, sum); ASSERT(sum, same);
}
kernel void test_loop_down(global uint *record, global int *p, global const int *zero) {
    int back = 0;
    AS_IT_STANDS for (long i = zero[10]; i >= 0; i -= zero[2]) back += p[i] << i;
    ASSERT((2 << 2) + (4 << 4) + (6 << 6) + (8 << 8) + (10 << 10), back);
}
kernel void test_moved_pointer(global uint *record, global int *p, global const int *zero) {
    int moved = 0;
    AS_IT_STANDS for (global int *q = p + zero[10]; q != p; q -= zero[2]) moved += q[0] << q[0];
    ASSERT((2 << 2) + (4 << 4) + (6 << 6) + (8 << 8) + (10 << 10), moved);
}
kernel void test_parts(global uint *record, global Part *parts, global int *p, global const int *zero) {
    const uint u = zero[2];
    parts[u].s[u] = 77; parts[u].c = 200; parts[u].v = (int4)(5, 6, 7, 8);
    ASSERT(77, parts[u].s[2]); ASSERT(200, parts[2].c); ASSERT(13, parts[u].v.x + parts[u].v.w);
    ASSERT(7, parts[u].v.z);
    vstore3((int3)(31, 32, 33), u, p);
    ASSERT(31 + 33, p[6] + p[8]); ASSERT(9, p[9]); ASSERT(32, vload3(u, p).y); ASSERT(33, vload2(u * 2, p).x);
    ASSERT(33, atomic_add(&p[u * 4], 9)); ASSERT(42, p[8]);
}
