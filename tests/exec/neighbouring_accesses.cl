// SPDX-License-Identifier: Apache-2.0
// Components of vectors and members of structs that are loaded and stored one by one, which the translator may do at once:
// what lies between them, and what is beside them. All arguments are the same buffer. 1.1.8-1.
// RUN: overlap
#include "assert.h"

kernel void test_loads(global uint *record, global int4 *v, global int *p) {
    ASSERT(4, v[1].x); ASSERT(4 + 5 + 6 + 7, v[1].x + v[1].y + v[1].z + v[1].w);
    int x = v[2].x;
    p[9] = 90;
    int y = v[2].y;
    p[10] = 100;
    int z = v[2].z, w = v[2].w;
    ASSERT(8, x); ASSERT(90, y); ASSERT(100, z); ASSERT(11, w);
    ASSERT(13 + 14, v[3].y + v[3].z); ASSERT(16 + 17 + 18, v[4].x + v[4].y + v[4].z);
}
kernel void test_stores(global uint *record, global int4 *v, global int *p) {
    int i = p[1];
    v[i].x = 1; v[i].y = 2; v[i].z = 3; v[i].w = 4;
    ASSERT(1, p[4]); ASSERT(2, p[5]); ASSERT(3, p[6]); ASSERT(4, p[7]); ASSERT(3, p[3]); ASSERT(8, p[8]);
    v[2].y = 20; v[2].x = 10;
    ASSERT(10, p[8]); ASSERT(20, p[9]); ASSERT(10, p[10]);
    v[3].x = 5; v[3].y = p[12] + 1; v[3].z = 7; v[3].x = p[13] + 2; v[3].w = 9;
    ASSERT(8, p[12]); ASSERT(6, p[13]); ASSERT(7, p[14]); ASSERT(9, p[15]);
    v[4].x = 1; p[16] = 2; v[4].y = 3; p[17] = 4;
    ASSERT(2, v[4].x); ASSERT(4, v[4].y);
    v[5].z = 1; v[5].w = 2; v[5].z = 3;
    ASSERT(3, p[22]); ASSERT(2, p[23]); ASSERT(21, p[21]);
    v[6].y = 1; v[6].z = 2; v[6].w = 3;
    ASSERT(24, p[24]); ASSERT(1, p[25]); ASSERT(2, p[26]); ASSERT(3, p[27]); ASSERT(28, p[28]);
}
typedef struct __attribute__((aligned(16))) { float x, y; int n; uchar4 c; } Body;
typedef struct __attribute__((packed)) { uchar tag; float4 v; } Packed;
typedef float4 __attribute__((aligned(4))) float4u;
kernel void test_structs(global uint *record, global Body *b, global Packed *packed, global float *p, global uchar *bytes) {
    b[2].x = 1; b[2].y = 2; b[2].n = 3; b[2].c.x = 4; b[2].c.y = 5; b[2].c.z = 6; b[2].c.w = 7;
    ASSERT_BITS(as_uint(1.0f), p[8]); ASSERT_BITS(as_uint(2.0f), p[9]);
    ASSERT(3, as_uint(p[10])); ASSERT(0x07060504, as_uint(p[11]));
    ASSERT(3 + 4 + 5 + 6 + 7, b[2].n + b[2].c.x + b[2].c.y + b[2].c.z + b[2].c.w);
    ASSERT_BITS(as_uint(3.0f), b[2].x + b[2].y);
    packed[1].v.x = 1; packed[1].v.y = 2; packed[1].v.z = 3; packed[1].v.w = 4; packed[1].tag = 9;
    ASSERT(9, bytes[17]); ASSERT(0x3f, bytes[21]); ASSERT(0x40, bytes[34 - 1]);
    ASSERT_BITS(as_uint(10.0f), packed[1].v.x + packed[1].v.y + packed[1].v.z + packed[1].v.w);
    global float4u *u = (global float4u *)(p + 33);
    u[0].x = 5; u[0].y = 6; u[0].z = 7; u[0].w = 8;
    ASSERT_BITS(as_uint(26.0f), u[0].x + u[0].y + u[0].z + u[0].w);
    ASSERT_BITS(as_uint(5.0f), p[33]); ASSERT_BITS(as_uint(8.0f), p[36]); ASSERT(32, as_uint(p[32])); ASSERT(37, as_uint(p[37]));
}
kernel void test_other_types(global uint *record, global short8 *s, global long2 *l, global int3 *t, global int *p) {
    s[1].s0 = 1; s[1].s1 = 2; s[1].s2 = 3; s[1].s3 = 4; s[1].s4 = 5; s[1].s5 = 6; s[1].s6 = 7;
    ASSERT(0x00020001, p[4]); ASSERT(0x00040003, p[5]); ASSERT(0x00060005, p[6]); ASSERT(0x00000007, p[7]);
    ASSERT(1 + 2 + 3 + 4 + 5 + 6 + 7, s[1].s0 + s[1].s1 + s[1].s2 + s[1].s3 + s[1].s4 + s[1].s5 + s[1].s6);
    l[4].x = 1; l[4].y = -1;
    ASSERT(1, p[16]); ASSERT(0, p[17]); ASSERT(-1, p[18]); ASSERT(-1, p[19]); ASSERT_LONG(0, l[4].x + l[4].y);
    t[6].x = 1; t[6].y = 2; t[6].z = 3;
    ASSERT(6, t[6].x + t[6].y + t[6].z); ASSERT(27, p[27]);
}
kernel void test_local(global uint *record, global int4 *v, local int4 *tile) {
    tile[1] = v[1]; tile[2] = v[2];
    tile[1].x = 40; tile[1].y = 50; tile[2].w = tile[1].x + tile[1].y + tile[1].z;
    ASSERT(96, tile[2].w); ASSERT(7, tile[1].w); ASSERT(8 + 9 + 10, tile[2].x + tile[2].y + tile[2].z);
    local int *q = (local int *)tile;
    int x = tile[2].x;
    q[9] = x + 1000;
    ASSERT(1008, tile[2].y); ASSERT(8, tile[2].x);
}
