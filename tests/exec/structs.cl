// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Structs, unions, enums, typedefs, arrays in every address space.
#include "assert.h"
typedef struct { char c; int i; short s; } Mixed;
typedef struct { float3 v; uchar b[3]; } WithVec;
typedef struct __attribute__((packed)) { char c; int i; short s; } Packed;
struct Node { int value; struct { int x, y; } inner; Mixed mixed[2]; };
enum Colour { Red, Green = 5, Blue };
typedef union { float f; uint u; uchar b[4]; } Pun;
Mixed make(int a) { Mixed m = {a, a + 1, a + 2}; return m; }
int total(struct Node n) { return n.value + n.inner.x + n.inner.y + n.mixed[1].i; }
kernel void test_layout(global uint *record, global int *in, global uchar *bytes) {
    ASSERT(12, sizeof(Mixed)); ASSERT(32, sizeof(WithVec)); ASSERT(7, sizeof(Packed)); ASSERT(36, sizeof(struct Node));
    global Mixed *m = (global Mixed *)bytes;
    m[1].c = in[1]; m[1].i = in[0x1234]; m[1].s = -2;
    ASSERT(1, bytes[12]); ASSERT(0x34, bytes[16]); ASSERT(0x12, bytes[17]); ASSERT(0xfe, bytes[20]);
    global Packed *p = (global Packed *)(bytes + 100);
    p[1].c = 9; p[1].i = 0x01020304; p[1].s = 0x0506;
    ASSERT(9, bytes[107]); ASSERT(4, bytes[108]); ASSERT(1, bytes[111]); ASSERT(6, bytes[112]);
    ASSERT(0x01020304, p[1].i);
    global WithVec *w = (global WithVec *)(bytes + 256);
    w->v = (float3)(1, 2, 3); w->b[2] = 77;
    ASSERT(0x40, bytes[256 + 11]); ASSERT(77, bytes[256 + 18]);
}
kernel void test_values(global uint *record, global int *in) {
    Mixed m = make(in[3]);
    ASSERT(3, m.c); ASSERT(4, m.i); ASSERT(5, m.s);
    Mixed copy = m;
    copy.i = 50;
    ASSERT(4, m.i); ASSERT(50, copy.i);
    struct Node n = {.value = in[1], .inner = {in[2], in[3]}, .mixed = {{0}, {1, 40, 2}}};
    ASSERT(46, total(n));
    struct Node *p = &n;
    p->mixed[in[1]].i += 4; (*p).inner.y *= 2;
    ASSERT(53, total(n));
    struct Node array[3] = {n};
    array[in[2]] = array[0];
    ASSERT(53, total(array[2])); ASSERT(0, array[1].value);
    ASSERT(6, Blue); ASSERT(5, (enum Colour)in[5]);
    Pun u; u.f = in[1];
    ASSERT(0x3f800000, u.u); ASSERT(0x3f, u.b[3]);
    u.b[3] = 0x40; u.b[in[2]] = 0;
    ASSERT_BITS(0x40000000, u.f);
}
kernel void test_arrays(global uint *record, global int *in) {
    int a[2][3] = {{1, 2, 3}, {4, 5}};
    ASSERT(5, a[in[1]][in[1]]); ASSERT(0, a[1][2]);
    int *flat = &a[0][0];
    ASSERT(4, flat[in[3]]); ASSERT(3, *(flat + 2));
    int (*row)[3] = a + in[1];
    ASSERT(4, (*row)[0]);
    char text[] = "hello";
    ASSERT(6, sizeof text); ASSERT('l', text[in[3]]); ASSERT(0, text[5]);
    int d[8] = {[2] = 7, 8, [6] = in[9]};
    ASSERT(7, d[in[2]]); ASSERT(8, d[3]); ASSERT(9, d[in[6]]); ASSERT(0, d[7]);
    float4 v[2]; v[in[0]] = (float4)(in[1]); v[1].yz = (float2)(in[2], in[3]);
    ASSERT_BITS(0x3f800000, v[0].w); ASSERT_BITS(0x40400000, v[in[1]].z);
    uchar bytes[16];
    for (int i = 0; i < 16; i++) bytes[i] = i * 17;
    ASSERT(0x33221100, *(uint *)bytes); ASSERT(0x7766, ((ushort *)bytes)[in[3]]);
    ulong l[4]; l[in[3]] = 0x123456789abcdef0ul;
    ASSERT_LONG(0x123456789abcdef0ul, l[3]); ASSERT(0x9abcdef0, ((uint *)l)[6]);
}
typedef struct { long l; int i; short s[3]; char c; } Sizes;
kernel void test_members_in_a_buffer(global uint *record, global int *in, global int *out) {
    global Sizes *p = (global Sizes *)(out + in[2] * 8) + in[1];  // where is not known: members of each size go by its units
    *p = (Sizes){in[1], in[2], {in[3], in[4], in[5]}, in[6]};
    ASSERT(1, out[22]); ASSERT(0, out[23]); ASSERT(2, out[24]);
    ASSERT(0x40003, out[25]); ASSERT(0x60005, out[26] & 0xffffff);
    Sizes copy = *p;
    ASSERT_LONG(1, copy.l); ASSERT(2, copy.i); ASSERT(4, copy.s[1]); ASSERT(6, copy.c);
}
constant int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
kernel void test_large_initialisers(global uint *record, global int *in) {
    ulong table[100] = {1, 2, primes[in[3]], [60] = 60};  // its constants lie behind others in memory
    ASSERT_LONG(1, table[in[0]]); ASSERT_LONG(7, table[in[2]]); ASSERT_LONG(0, table[in[3]]);
    ASSERT_LONG(60, table[in[60]]); ASSERT_LONG(0, table[in[99]]);
}
int middle(struct Node n) { return n.inner.x; }
kernel void test_choices(global uint *record, global int *in) {  // each evaluates its condition once
    struct Node a = {.inner = {in[1], 2}}, b = {.inner = {in[3], 4}};
    int at = in[0];
    ASSERT(3, middle(at++ ? a : b)); ASSERT(1, at);
    ASSERT(1, (at++ ? a : b).inner.x); ASSERT(2, at);
    struct Node kept = at-- == 1 ? a : b;
    ASSERT(3, kept.inner.x); ASSERT(1, at);
    kept = --at ? b : a;
    ASSERT(1, kept.inner.x); ASSERT(0, at);
    ASSERT(3, (sizeof(int) == 4 ? b : a).inner.x);
}
