// SPDX-License-Identifier: Apache-2.0
// Vector types, literals, components, operators: 1.1.6-1, 1.1.6-4, 1.1.6-6, 1.1.6-7, 1.1.6-8, 1.1.7-1, 1.1.7-3, 1.1.7-4, 1.1.7-8,
// 1.1.7-10, 1.3.1-1, 1.3.4-1, 1.3.9-2.
#include "assert.h"
kernel void test_literals(global uint *record, global int *in) {
    int4 a = (int4)(in[1], in[2], in[3], in[4]);
    ASSERT(1, a.x); ASSERT(4, a.w);
    int4 b = (int4)(in[9]);
    ASSERT(9, b.x); ASSERT(9, b.w);
    int4 c = (int4)((int2)(in[1], in[2]), (int2)(in[3], in[4]));
    ASSERT(3, c.z);
    int8 d = (int8)(in[1], (int3)(in[2], in[3], in[4]), a);
    ASSERT(2, d.s1); ASSERT(4, d.s7);
    int16 e = (int16)(d, d);
    ASSERT(4, e.sf); ASSERT(1, e.s8);
    float4 f = (float4)(1, 2, 3, in[4]);
    ASSERT_BITS(0x40800000, f.w);
    uchar4 u = (uchar4)(in[255], in[254], 0, 1);
    ASSERT(254, u.y);
}
kernel void test_swizzles(global uint *record, global int *in) {
    int4 a = (int4)(in[1], in[2], in[3], in[4]);
    ASSERT(4, a.wzyx.x); ASSERT(1, a.wzyx.w);
    ASSERT(2, a.xxyy.z);
    ASSERT(3, a.hi.x); ASSERT(2, a.lo.y);
    ASSERT(2, a.odd.x); ASSERT(3, a.even.y);
    ASSERT(3, a.hi.lo + in[0]);
    ASSERT(3, a.s2); ASSERT(4, a.S3);
    a.xw = (int2)(in[10], in[40]);
    ASSERT(10, a.x); ASSERT(2, a.y); ASSERT(40, a.w);
    a.yx = a.xy;
    ASSERT(10, a.y); ASSERT(2, a.x);
    a.odd = (int2)(in[7], in[8]);
    ASSERT(7, a.y); ASSERT(8, a.w);
    a.hi.x = in[77];
    ASSERT(77, a.z);
    a.zw += (int2)(1, 2);
    ASSERT(78, a.z); ASSERT(10, a.w);
    a.x++;
    ASSERT(3, a.x);
    int16 w = (int16)(0);
    w.sa = in[5]; w.sF = in[6];
    ASSERT(5, w.s89abcdef.s2); ASSERT(6, w.hi.hi.hi.y);
    w.lo.s31 = (int2)(in[13], in[11]);
    ASSERT(13, w.s3); ASSERT(11, w.s1);
    int3 t = a.zyx;
    ASSERT(78, t.x); ASSERT(3, t.z);
    t.yz = in[4];
    ASSERT(4, t.z);
    int i = in[2];
    ASSERT(t.z, ((int *)&t)[i]);
}
kernel void test_operators(global uint *record, global int *in) {
    int4 a = (int4)(in[1], in[2], in[3], in[4]), b = (int4)(in[4], in[3], in[2], in[1]);
    int4 c = a + b * 2 - 1;
    ASSERT(8, c.x); ASSERT(5, c.w);
    c = a < b;
    ASSERT(-1, c.x); ASSERT(-1, c.y); ASSERT(0, c.z);
    c = a == a;
    ASSERT(-1, c.w);
    c = !(a - 1);
    ASSERT(-1, c.x); ASSERT(0, c.y);
    c = a && (b - 1);
    ASSERT(-1, c.x); ASSERT(0, c.w);
    c = (a > 2) ? a : b;
    ASSERT(4, c.x); ASSERT(3, c.z);
    c = in[1] ? a : b;
    ASSERT(1, c.x);
    c = a << b;
    ASSERT(16, c.x);
    c = a << 33;
    ASSERT(2, c.x);
    c = -a; ASSERT(-4, c.w);
    c = ~a; ASSERT(-2, c.x);
    c += a; ASSERT(-1, c.y);
    c++; ASSERT(0, c.y);
    short8 s = (short8)(in[1], 2, 3, 4, 5, 6, 7, 8);
    short8 m = s > (short)4;
    ASSERT(0, m.s3); ASSERT(-1, m.s4);
    float16 f = (float16)(in[3]);
    f *= 2.0f; f.s9 = 1;
    ASSERT_BITS(0x40c00000, f.s8); ASSERT_BITS(0x3f800000, f.s9);
    int16 fc = f == 6.0f;
    ASSERT(-1, fc.sf); ASSERT(0, fc.s9);
    char16 ch = (char16)(in[100]) + (char16)(in[100]);
    ASSERT(-56, ch.s5);
    ulong3 l = (ulong3)(in[1], 2, 3) << 33ul;
    ASSERT_LONG(3ul << 33, l.z);
}
int8 twice(int8 v) { return v * 2; }
int16 join(int8 a, int8 b) { return (int16)(b, a); }
kernel void test_wide_calls(global uint *record, global int *in, global int8 *memory) {
    int8 a = vload8(0, in + 1);
    ASSERT(16, twice(a).s7);
    int16 j = join(a, twice(a));
    ASSERT(2, j.s0); ASSERT(8, j.sf);
    int8 p = a;
    for (int i = 0; i < in[3]; i++) p = p.s70123456 + (in[2] == i ? a : (int8)(1));
    ASSERT(17 + 0 * p.s0, 17);
    ASSERT(6 + 2 + 1 + in[0], p.s0 == 9 ? 9 : p.s0);
    memory[in[2]] = a;
    ASSERT(8, ((global int *)memory)[23]);
    memory[1].s3 = 99;
    ASSERT(99, ((global int *)memory)[11]);
}
// 1.1.7-13: halves, even and odd components of every length, put apart and together again
#define SHUFFLES(T, N, HALF)                                                                                       \
    {                                                                                                              \
        T##N a, b, c;                                                                                              \
        for (int i = 0; i < N; i++) ((T *)&a)[i] = (T)in[i + 1];                                                   \
        b.even = a.lo; b.odd = a.hi; c.lo = b.even; c.hi = b.odd;                                                  \
        ASSERT(1, all(c == a)); ASSERT(1, ((T *)&b)[1] == (T)(N / 2 + 1) && ((T *)&b)[N - 2] == (T)(N / 2));       \
        HALF kept = c.hi; c.hi = c.lo; c.lo = kept;                                                                \
        ASSERT(1, all(c.hi == a.lo) && all(c.lo == a.hi));                                                         \
    }
kernel void test_interleaved(global uint *record, global int *in) {
    SHUFFLES(int, 4, int2) SHUFFLES(int, 8, int4) SHUFFLES(int, 16, int8) SHUFFLES(float, 4, float2) SHUFFLES(float, 16, float8)
    SHUFFLES(uchar, 8, uchar4) SHUFFLES(uchar, 16, uchar8) SHUFFLES(ulong, 4, ulong2) SHUFFLES(ulong, 16, ulong8) SHUFFLES(short, 16, short8)
}
kernel void test_transposed(global uint *record, global int *in) {
    float4 rows[4];
    for (int i = 0; i < 4; i++) rows[i] = convert_float4(vload4(i, in));
    const float16 all_rows = (float16)(rows[0], rows[1], rows[2], rows[3]);
    float4 low = (float4)(rows[0].even, rows[1].even), high = (float4)(rows[2].even, rows[3].even), first, third;
    first.lo = low.even; first.hi = high.even; third.lo = low.odd; third.hi = high.odd;
    ASSERT(1, all(first == all_rows.s048c)); ASSERT(1, all(third == all_rows.s26ae));
    float16 by_columns = all_rows, twice;
    for (int i = 0; i < 2; i++) { twice.even = by_columns.lo; twice.odd = by_columns.hi; by_columns = twice; }
    ASSERT(1, all(by_columns == all_rows.s048c159d26ae37bf));
}
#define WIDTH 4
kernel void test_component_that_is_not_reached(global uint *record, global int *in) {
    int4 v = (int4)(in[1], in[2], in[3], in[4]);
    int sum = v[0] + v[3];
    if (WIDTH > 4) sum += v[4], v[5] = 1;
    ASSERT(5, sum);
}
// An index counts among the components that were chosen: 1.1.7-4, 1.1.7-10.
kernel void test_indices_of_chosen(global uint *record, global int *in, global int4 *v) {
    ASSERT(3, v[0].hi[1]); ASSERT(3, v[0].wzyx[in[0]]); ASSERT(1, v[0].odd[in[0]]);
    v[1].odd[1] = 77; v[1].zx[in[1]] = 44;
    ASSERT(77, v[1].w); ASSERT(44, v[1].x); ASSERT(5, v[1].y); ASSERT(6, v[1].z);
    v[2].hi.yx[in[1]] += 100; v[2].lo[in[1]]++;
    ASSERT(110, v[2].z); ASSERT(10, v[2].y); ASSERT(8, v[2].x); ASSERT(11, v[2].w);
    ASSERT(10, v[2].xyz[in[1]]--); ASSERT(9, v[2].y);
    global int3 *t = (global int3 *)&v[3];
    ASSERT(14, t->hi[in[0]]);
    t->hi[1] = 5; t->odd[0] = 6;
    ASSERT(12, t->x); ASSERT(6, t->y); ASSERT(14, t->z);
}
kernel void test_indices_of_chosen_private(global uint *record, global int *in) {
    struct { int n; int4 v; } s = {1, (int4)(in[1], in[2], in[3], in[4])};
    int4 v = s.v;
    int i = in[1];
    v.hi[1] = 30; v.xyz[i] = 20;
    ASSERT(1, v.x); ASSERT(20, v.y); ASSERT(3, v.z); ASSERT(30, v.w);
    v.hi[0]; v.hi[i];
    v.hi.yx[i] += 4; s.v.lo[1]++; s.v.wzyx[i]--;
    ASSERT(7, v.z); ASSERT(30, v.w); ASSERT(3, s.v.y); ASSERT(2, s.v.z); ASSERT(1, s.v.x); ASSERT(4, s.v.w);
    ASSERT(20, v.wyx[i]); ASSERT(2, s.v.yxzw[2]++); ASSERT(3, s.v.z);
    int3 t = v.xyz;
    t.hi[in[1]] = 99; t.odd[in[1]] = 98; t.hi[1] = 97; t.even[in[1]] = 96;
    ASSERT(1, t.x); ASSERT(20, t.y); ASSERT(96, t.z);
    volatile int4 w = v;
    w.hi[i] -= 1;
    ASSERT(29, w.w); ASSERT(29, w.odd[1]);
}
kernel void test_indices_of_chosen_local(global uint *record, global int *in) {
    local int8 v;
    v = (int8)(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]);
    v.hi.even[1] = 60; v.odd[in[3]] = 70; v.s321[in[2]] += 10;
    ASSERT(60, v.s6); ASSERT(70, v.s7); ASSERT(11, v.s1); ASSERT(0, v.s0);
    ASSERT(3, v.s3); ASSERT(5, v.hi[in[1]]); ASSERT(4, v.s76543210[3]);
}
