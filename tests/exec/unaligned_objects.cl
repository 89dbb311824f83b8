// SPDX-License-Identifier: Apache-2.0
// Packed structs (1.11.1-6, 1.11.1-7, 1.11.1-10) and objects at any address (1.11.3-2, 1.11.3-4) in private and local memory;
// unaligned.cl has those in global memory.
#include "assert.h"

typedef int loose_int __attribute__((aligned(1)));
typedef ulong loose_ulong __attribute__((aligned(1)));
typedef ushort loose_ushort __attribute__((aligned(1)));
typedef float4 loose_float4 __attribute__((aligned(1)));
typedef struct { char c; int i; } Inner;
typedef struct __attribute__((packed)) { char c; int i; Inner inner; short s[2]; ulong l; float3 v; char end; } Packed;
typedef struct __attribute__((packed)) { char c; int words[3]; } Row;
typedef struct { char c; int i __attribute__((packed)); } OneField;

#define PACKED(AS, p)                                                                                         \
    p->c = in[1]; p->i = 0x01020304 + in[0]; p->inner.i = 0x0a0b0c0d; p->inner.c = -1; p->s[in[1]] = 0x1112;  \
    p->s[0] = 7; p->l = 0x2122232425262728ul; p->v = (float3)(1, 2, in[3]); p->end = 99;                      \
    {                                                                                                         \
        AS uchar *bytes = (AS uchar *)p;                                                                      \
        ASSERT(4, bytes[1]); ASSERT(1, bytes[4]); ASSERT(0xff, bytes[5]); ASSERT(0x0d, bytes[9]);             \
        ASSERT(7, bytes[13]); ASSERT(0x12, bytes[15]); ASSERT(0x28, bytes[17]); ASSERT(0x21, bytes[24]);      \
        ASSERT(0x3f, bytes[28]); ASSERT(99, bytes[41]);                                                       \
    }                                                                                                         \
    ASSERT(0x01020304, p->i); ASSERT(0x0a0b0c0d, p->inner.i); ASSERT(0x1112, p->s[in[1]]);                    \
    ASSERT_LONG(0x2122232425262728ul, p->l); ASSERT_BITS(0x40400000, p->v.z); ASSERT(99, p->end);
kernel void test_packed(global uint *record, global int *in) {
    local Packed near[3];
    Packed mine[3];
    ASSERT(42, sizeof(Packed)); ASSERT(5, sizeof(OneField)); ASSERT(13, sizeof(Row));
    Packed *p = mine + in[1];
    local Packed *q = near + in[1];
    PACKED(, p) PACKED(local, q)
    mine[in[2]] = near[1]; near[0] = mine[2];
    ASSERT_LONG(0x2122232425262728ul, near[in[0]].l); ASSERT(0x0a0b0c0d, mine[2].inner.i);
}

kernel void test_rows(global uint *record, global int *in) {
    local Row near[4];
    Row mine[4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) { mine[i].words[j] = 10 * i + j; near[i].words[j] = -mine[i].words[j]; }
    ASSERT(12, mine[in[1]].words[in[2]]); ASSERT(-31, near[in[3]].words[in[1]]); ASSERT(-30, near[3].words[0]);
    OneField f[3] = {{1, 100}, {2, 200}, {3, in[300]}};
    ASSERT(300, f[in[2]].i); f[in[1]].i++; ASSERT(201, f[1].i); ASSERT(2, f[1].c);
}

#define LOOSE(AS, bytes)                                                                                     \
    for (int i = 0; i < 40; i++) bytes[i] = in[i];                                                           \
    ASSERT(0x06050403, *(AS loose_int *)(bytes + in[3])); ASSERT(0x0201, *(AS loose_ushort *)(bytes + 1));   \
    ASSERT_LONG(0x0c0b0a0908070605ul, *(AS loose_ulong *)(bytes + in[5]));                                   \
    *(AS loose_int *)(bytes + in[7]) = 0x71727374; ASSERT(6, bytes[6]); ASSERT(0x74, bytes[7]);              \
    ASSERT(0x71, bytes[10]); ASSERT(11, bytes[11]);                                                          \
    *(AS loose_ulong *)(bytes + in[13]) += in[1]; ASSERT(14, bytes[13]); ASSERT(14, bytes[14]);              \
    *(AS loose_float4 *)(bytes + in[21]) = (float4)(1, 2, 3, in[4]); ASSERT(0x40, bytes[36]);                \
    ASSERT_BITS(0x40400000, (*(AS loose_float4 *)(bytes + in[21])).z); ASSERT(37, bytes[37]);
kernel void test_loose(global uint *record, global int *in) {
    local uchar near[40];
    uchar mine[40];
    LOOSE(, mine) LOOSE(local, near)
}

// A struct around packed ones is taken apart; what is in them is not aligned for that.
typedef struct __attribute__((packed)) { ulong2 wide; char c; ushort a, b; } Tight;
typedef struct { Tight rows[2]; ulong last; } Around;
kernel void test_packed_in_struct(global uint *record, global int *in) {
    Around v = {{{1, 2, 3, 4}, {5, 6, in[7], 8}}, 9};
    for (int i = in[0]; i < 2; i++) {
        ASSERT_LONG(i ? 5 : 1, v.rows[i].wide.y);
        ASSERT(i ? 6 : 2, v.rows[i].c); ASSERT(i ? 7 : 3, v.rows[i].a); ASSERT(i ? 8 : 4, v.rows[i].b);
    }
    ASSERT_LONG(9, v.last);
}
