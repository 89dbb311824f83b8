// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Arguments by value: scalars, vectors, structs with arrays, in push constants while they fit, else in a buffer (1.7.1-1). The
// runner fills each with the bytes 1, 2, 3, ...
#include "assert.h"
typedef struct { char c; int i; struct { short s[3]; long l; } inner; uchar bytes[5]; float3 v; } Value;
typedef struct __attribute__((packed)) { char c; int i; short s; } Packed;
typedef union { int i; uchar bytes[6]; } Either;
typedef struct { int words[40]; } Long;
int sum(Value v) { return v.bytes[1] + v.bytes[4] + v.c; }
kernel void test_scalars(global uint *record, char c, ulong l, ushort s, float f, uint u, long m) {
    ASSERT(1, c); ASSERT_LONG(0x0807060504030201, l); ASSERT(0x0201, s); ASSERT_BITS(0x04030201, f); ASSERT(0x04030201, u);
    ASSERT_LONG(0x0807060504030201, m);
}
kernel void test_vectors(global uint *record, uchar3 c, int3 i, short2 s, ulong2 l) {
    ASSERT(3, c.z); ASSERT(0x0c0b0a09, i.z); ASSERT(0x0403, s.y); ASSERT_LONG(0x100f0e0d0c0b0a09, l.y);
}
kernel void test_structs(global uint *record, Value v, Packed p, Either e) {
    ASSERT(1, v.c); ASSERT(0x08070605, v.i); ASSERT(0x0e0d, v.inner.s[v.c + 1]); ASSERT_LONG(0x1817161514131211, v.inner.l);
    ASSERT(0x1d, v.bytes[4 * v.c]); ASSERT_BITS(0x28272625, v.v.y); ASSERT(0x1a + 0x1d + 1, sum(v));
    ASSERT(1, p.c); ASSERT(0x05040302, p.i); ASSERT(0x0706, p.s); ASSERT(0x04030201, e.i); ASSERT(6, e.bytes[5 * v.c]);
    v.bytes[v.c] = 100; ASSERT(100 + 0x1d + 1, sum(v));
}
kernel void test_many(global uint *record, long16 l, Long words, uchar16 c, int last, global int *in) {
    ASSERT_LONG(0x807f7e7d7c7b7a79, l.sf); ASSERT(0xa09f9e9d, words.words[39]); ASSERT(0x100f0e0d, words.words[in[3]]);
    ASSERT(16, c.sf); ASSERT(0x04030201, last); words.words[in[5]] = 7; ASSERT(7, words.words[5]);
    int *p = words.words; ASSERT(7, p[in[5]]);
}
