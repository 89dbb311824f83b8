// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// FLAGS: -cl-std=CL3.0
// One access to several members of a private struct, through a pointer to the first of them: vloadn and vstoren, a
// wider type, a copy. C leaves this undefined, but compilers that keep structs in memory let it work, and programs
// rely on it.
#include "assert.h"

typedef struct { int x, y, z, w; } Vector;
typedef struct __attribute__((aligned(8))) { int x, y, z, w; } Aligned;
typedef struct { float position[2], velocity[2]; int id; } Body;
typedef struct { uchar r, g, b, a; } Colour;

int4 get(const int *p) { return vload4(0, p); }
int2 get_at(const int *p, int i) { return vload2(i, p); }
void put(int *p, int2 v) { vstore2(v, 0, p); }
uint word(const void *p) { return *(const uint *)p; }
int last_of(const void *p, int n) {
    const int *words = p;
    return words[n - 1];
}
uint sum_of(const uchar *p, int n) {
    uint sum = 0;
    while (n-- > 0) sum += p[n];
    return sum;
}
// A large function stays one.
int4 mixed(int *p, int n) {
    int4 v = vload4(0, p);
    for (int i = 0; i < n; ++i) {
        v = mad_sat(v * 31 + i, v.yzwx, v) ^ rotate(v, 5);
        v += mul_hi(v, v.wxyz) + convert_int4(clz(v)) * popcount(v) + hadd(v, v.zwxy) - sub_sat(v.wxyz, v);
        v ^= max(v, v.yxwz) - min(v.zzxx, v) + mad24(v, v.wwww, v.xxyy) + bitselect(v, v.wzyx, (int4)i);
    }
    vstore3(v.xyz, 0, p + 1);
    return v;
}

#define ASSERT_VECTOR(a, b, c, d, v) ASSERT(a, (v).x); ASSERT(b, (v).y); ASSERT(c, (v).z); ASSERT(d, (v).w)

kernel void test_vectors(global uint *record, global int *in) {
    Vector a = {in[5], in[6], in[7], in[8]};
    ASSERT_VECTOR(5, 6, 7, 8, vload4(0, &a.x));
    vstore3((int3)(1, 2, in[3]), 0, &a.y);
    ASSERT_VECTOR(5, 1, 2, 3, a);
    vstore2((int2)(in[9], 4), 1, &a.x);
    ASSERT_VECTOR(5, 1, 9, 4, a);
    ASSERT(9, vload2(in[1], &a.x).x);
    ASSERT(1, vload2(-1, &a.z).y);
    struct { int tag; int values[2], more[2]; } b = {in[1], {in[2], in[3]}, {in[4], in[5]}};
    ASSERT_VECTOR(2, 3, 4, 5, vload4(0, b.values));
    ASSERT_VECTOR(1, 2, 3, 4, vload4(0, &b.tag));
    ASSERT(5, vload2(in[1], b.values).y);
    vstore2((int2)(6, 7), 0, &b.values[in[1]]);
    ASSERT(6, b.values[1]);
}

kernel void test_chosen(global uint *record, global int *in) {
    Vector a = {in[5], in[6], in[7], in[8]}, b = a;
    int *p = in[1] ? &a.x : &b.x;
    ASSERT(8, vload2(1, p).y);
    vstore2((int2)(in[9], 10), 0, p);
    ASSERT(10, a.y); ASSERT(6, b.y);
    ASSERT(8, vload2(in[1], p).y);
    ASSERT_VECTOR(9, 10, 7, 8, get(&a.x));
    ASSERT(8, get_at(&b.x, in[1]).y);
    put(&b.y, (int2)(in[1], 2));
    ASSERT_VECTOR(5, 1, 2, 8, b);
}

kernel void test_large_function(global uint *record, global int *in) {
    struct { int before; Vector v; int after; } a = {in[1], {in[2], in[3], in[4], in[5]}, in[6]};
    int b[4] = {in[2], in[3], in[4], in[5]};
    int4 first = mixed(&a.v.x, in[3]), second = mixed(b, in[3]);
    ASSERT_VECTOR(second.x, second.y, second.z, second.w, first);
    ASSERT_VECTOR(b[0], b[1], b[2], b[3], a.v);
    first = mixed(&a.v.x, in[2]), second = mixed(b, in[2]);
    ASSERT_VECTOR(second.x, second.y, second.z, second.w, first);
    ASSERT_VECTOR(b[0], b[1], b[2], b[3], a.v);
    ASSERT(1, a.before); ASSERT(6, a.after);
}

kernel void test_halves(global uint *record, global int *in) {
    struct { ushort x, y, z, w; } a;
    half *x = (half *)&a.x, *y = (half *)&a.y, *z = (half *)&a.z, *w = (half *)&a.w;
    vstore_half((float)in[1], 0, x);
    vstore_half3((float3)(in[2], in[3], in[4]), 0, y);
    ASSERT_VECTOR(1, 2, 3, 4, vload_half4(0, x));
    vstore_half2((float2)(7, in[8]), 0, z);
    ASSERT(7, vload_half(0, z)); ASSERT(8, vload_half(0, w));
    half *p = in[1] ? x : z;
    ASSERT(8, vload_half2(in[1], p).y);
    vstore_half2((float2)(5, 6), 0, p);
    ASSERT(6, vload_half(0, y));
}

kernel void test_results(global uint *record, global int *in) {
    struct { float x, y, z, w; } a;
    float4 f = fract((float4)(1.5f, 2.25f, 3.125f, 4.75f) * in[2], (float4 *)&a.x);
    ASSERT(0, f.x); ASSERT(0.5f, f.y);
    ASSERT_VECTOR(3, 4, 6, 9, a);
    struct { int x, y, z; } b = {0, 0, in[7]};
    float2 m = frexp((float2)(in[8], in[3]), (int2 *)&b.x);
    ASSERT(0.5f, m.x); ASSERT(0.75f, m.y);
    ASSERT(4, b.x); ASSERT(2, b.y); ASSERT(7, b.z);
}

kernel void test_wide(global uint *record, global int *in) {
    Aligned a = {in[5], in[6], in[7], in[8]}, b = a;
    struct { Aligned n; int *p; } m = {a, 0};
    int *p = in[1] ? &a.x : &b.x;
    ASSERT(6, (*(int2 *)p).y);
    *(int2 *)p = (int2)(8, in[9]);
    ASSERT(9, a.y); ASSERT(6, b.y);
    p = in[1] ? &b.z : &a.z;
    *(long *)p = 0x1234567800000001;
    ASSERT(1, b.z); ASSERT(0x12345678, b.w); ASSERT(8, a.w);
    m.p = &a.z;
    p = in[1] ? m.p : &b.x;
    ASSERT(8, *(long *)p >> 32);
}

kernel void test_copies(global uint *record, global int *in) {
    Vector a = {in[5], in[6], in[7], in[8]}, b = a;
    int to[4] = {0, 0, 0, 0};
    int *p = in[1] ? &a.x : &b.x;
    __builtin_memcpy(to, p, sizeof to);
    ASSERT_VECTOR(5, 6, 7, 8, vload4(0, to));
    p = in[1] ? &b.y : &a.y;
    to[1] = in[1];
    __builtin_memcpy(p, to, 3 * sizeof(int));
    ASSERT_VECTOR(5, 5, 1, 7, b);
    ASSERT(6, a.y);
}

// The pointer becomes one to another type before it goes on.
kernel void test_casts(global uint *record, global int *in) {
    Vector a = {in[5], in[6], in[7], in[8]};
    ASSERT(8, last_of(&a.x, in[4]));
    Body body = {{in[1], in[2]}, {in[3], in[4]}, in[5]};
    float *f = in[1] ? body.position : body.velocity;
    float4 v = vload4(0, f);
    ASSERT_VECTOR(1, 2, 3, 4, v);
    float b = in[3];
    struct { float x, y, z; } p = {1, 2, in[3]};
    f = in[1] ? &p.x : &b;
    int *words = (int *)f;
    for (int i = 0; i < in[2]; ++i) ++words;
    ASSERT(as_int(3.0f), *words);
}

kernel void test_bytes(global uint *record, global int *in) {
    Colour c __attribute__((aligned(4))) = {in[1], in[2], in[3], in[4]};
    ASSERT(0x04030201, word(&c.r));
    ASSERT(10, sum_of(&c.r, in[4]));
    uchar4 v = vload4(0, &c.r);
    ASSERT_VECTOR(1, 2, 3, 4, v);
    Colour d = {in[5], in[6], in[7], in[8]};
    uchar *p = in[1] ? &d.r : &c.r;
    ASSERT(6 + 7 + 8, p[in[1]] + p[in[2]] + p[in[3]]);
}
