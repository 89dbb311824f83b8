// SPDX-License-Identifier: Apache-2.0
// Objects at addresses that are not multiples of their type's size, through pointers to typedefs with aligned(N).
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

typedef int loose_int __attribute__((aligned(1)));
typedef ushort loose_ushort __attribute__((aligned(1)));
typedef long loose_long __attribute__((aligned(1)));
typedef float loose_float __attribute__((aligned(2)));
typedef int4 loose_int4 __attribute__((aligned(4)));
typedef struct { short a; int b; int c[2]; } Thing;
typedef Thing loose_thing __attribute__((aligned(1)));
typedef struct __attribute__((packed)) { char c; int i; short s[3]; long l; } Packed;

/// The four bytes at `p`, read one by one.
uint bytes(global uchar *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint)p[3] << 24; }

kernel void test_loads(global uint *record, global int *in) {
    global uchar *p = (global uchar *)in;
    for (int i = in[4]; i < in[8]; ++i) ASSERT(bytes(p + i), *(global loose_int *)(p + i));
    ASSERT(0x0500, *(global loose_ushort *)(p + 19 + in[0])); ASSERT(0x0006, *(global loose_ushort *)(p + 24));
    ASSERT_LONG(0x0000060000000500, *(global loose_long *)(p + 19 + in[0]));
    ASSERT_BITS(0x00060000, *(global loose_float *)(p + 22 + in[0]));
    global loose_int *q = (global loose_int *)(p + in[1]);
    ASSERT(0x04000000, q[in[3]]); ASSERT(0x03000000, q[2]); ASSERT(0x02000000, *++q);
    global loose_int(*rows)[3] = (global loose_int(*)[3])(p + in[2]);
    ASSERT(0x00060000, rows[in[1]][in[2]]);
    loose_int copy = q[in[1]];
    loose_int copies[2] = {copy, copy + 1};
    ASSERT(0x03000001, copies[in[1]]);
    // A choice between pointers of two alignments has the lower one here, and that of int in clang 22.
    ASSERT(0x03000000, *(in[1] ? q + 1 : (global loose_int *)in));
}

kernel void test_vectors(global uint *record, global int *in, global int *out) {
    int4 v = *(global loose_int4 *)(in + in[3]);
    ASSERT(3, v.x); ASSERT(6, v.w);
    global loose_int4 *to = (global loose_int4 *)(out + in[5]);
    *to = v * 10;
    ASSERT(4, out[4]); ASSERT(30, out[5]); ASSERT(60, out[8]); ASSERT(9, out[9]);
    to[1].yz = v.xy;
    to->w += 1;
    ASSERT(9, out[9]); ASSERT(3, out[10]); ASSERT(4, out[11]); ASSERT(61, out[8]);
}

kernel void test_stores(global uint *record, global int *in, global int *out) {
    global uchar *p = (global uchar *)out;
    *(global loose_int *)(p + in[5]) = 0x89abcdef;
    ASSERT(0xabcdef01, out[1]); ASSERT(0x89, out[2]);
    *(global loose_int *)(p + in[5]) += 0x11;
    ASSERT(0xabce0001, out[1]);
    ++*(global loose_long *)(p + in[13]);
    ASSERT(0x0103, out[3]);
    *(global loose_ushort *)(p + in[23]) = 0xeeff;
    ASSERT(0xff000005, out[5]); ASSERT(0xee, out[6]);
}

kernel void test_structs(global uint *record, global int *in, global int *out) {
    global uchar *p = (global uchar *)out + in[3];
    global loose_thing *thing = (global loose_thing *)p;
    thing->a = 0x1122;
    thing->b = 0x33445566;
    thing->c[in[1]] = 0x778899aa;
    ASSERT(0x22000000, out[0]); ASSERT(0x11, out[1] & 0xff); ASSERT(0x66, p[4]); ASSERT(0x33, p[7]);
    ASSERT(0x778899aa, bytes(p + 12));
    Thing all = *thing;
    ASSERT(0x1122, all.a); ASSERT(0x33445566, all.b); ASSERT(0x778899aa, all.c[in[1]]);
    thing[2] = all;
    ASSERT(0x33445566, bytes(p + 36));
    global Packed *packed = (global Packed *)(out + 20) + in[1];
    packed->i = 0x01020304;
    packed->s[in[1]] = 0x0506;
    packed->l = 0x1112131415161718;
    ASSERT(0x01020304, bytes((global uchar *)packed + 1)); ASSERT(0x11121314, bytes((global uchar *)packed + 15));
    ASSERT(0x0506, packed->s[1]); ASSERT(0x01020304, packed->i); ASSERT_LONG(0x1112131415161718, packed->l);
}

// Members that stay aligned can be changed atomically.
kernel void test_atomics(global uint *record, global int *in, global int *out) {
    global loose_int *p = (global loose_int *)out + in[2];
    ASSERT(2, atomic_add((volatile global int *)p, 5)); ASSERT(7, *p);
}
