// SPDX-License-Identifier: Apache-2.0
// Where objects lie: built-in types by their size or the next power of two (1.1.5-1, 1.1.5-3), structs by their members, aligned(N) in
// every address space: 1.11.1-1, 1.11.1-2, 1.11.1-3, 1.11.1-4, 1.11.1-8, 1.11.1-9.
#include "assert.h"

typedef struct { char c; float3 v; short s; } WithVector;
typedef struct { char c[3]; } Bytes;
typedef struct __attribute__((aligned)) { char c; } Widest;
typedef struct __attribute__((aligned(32))) { int i; } Wide;
typedef struct { char c; Wide wide; char end; } Outer;
typedef struct { char c; int i __attribute__((aligned(16))); char end; } OneMember;
typedef union { char c; int2 v; } Either;
enum __attribute__((packed)) Small { Least = -100, Most = 100 };
enum __attribute__((packed)) Middle { Big = 1000 };
typedef struct { char c; enum Small small; enum Middle middle; } Enums;

enum __attribute__((aligned(16))) Roomy { None, Some };
typedef struct { char c; enum Roomy roomy; char end; } WithRoomy;

#define AT(x) ((uint)(uintptr_t)(x))
#define MISALIGNED(p, bytes) (AT(p) % (bytes))

kernel void test_sizes(global uint *record) {
    ASSERT(48, sizeof(WithVector)); ASSERT(16, __alignof__(WithVector)); ASSERT(3, sizeof(Bytes)); ASSERT(1, __alignof__(Bytes));
    ASSERT(16, __alignof__(Widest)); ASSERT(16, sizeof(Widest)); ASSERT(32, sizeof(Wide)); ASSERT(96, sizeof(Outer)); ASSERT(32, __alignof__(Outer));
    ASSERT(32, sizeof(OneMember)); ASSERT(8, sizeof(Either)); ASSERT(8, __alignof__(Either));
    ASSERT(1, sizeof(enum Small)); ASSERT(2, sizeof(enum Middle)); ASSERT(4, sizeof(Enums)); ASSERT(4, sizeof(enum { A }));
    Outer o; OneMember m; WithVector w; Enums e;
    ASSERT(32, AT(&o.wide) - AT(&o)); ASSERT(64, AT(&o.end) - AT(&o)); ASSERT(16, AT(&m.i) - AT(&m)); ASSERT(20, AT(&m.end) - AT(&m));
    ASSERT(4, sizeof(enum Roomy)); ASSERT(16, __alignof__(enum Roomy)); ASSERT(32, sizeof(WithRoomy));
    ASSERT(16, AT(&w.v) - AT(&w)); ASSERT(32, AT(&w.s) - AT(&w)); ASSERT(1, AT(&e.small) - AT(&e)); ASSERT(2, AT(&e.middle) - AT(&e));
}

kernel void test_addresses(global uint *record, global int *in) {
    local char first, second; local long l; local float3 v3[2]; local int16 v16; local Outer outer[2];
    local short s[3] __attribute__((aligned(64)));
    first = in[1]; second = in[2]; l = in[3]; v3[1] = (float3)(in[4]); v16 = (int16)(in[5]); outer[1].wide.i = in[6]; s[2] = in[7];
    ASSERT(0, MISALIGNED(&l, 8)); ASSERT(0, MISALIGNED(&v3[1], 16)); ASSERT(0, MISALIGNED(&v16, 64)); ASSERT(0, MISALIGNED(&outer[1].wide, 32));
    ASSERT(0, MISALIGNED(s, 64)); ASSERT(3, first + second); ASSERT_LONG(3, l); ASSERT(5, v16.sf); ASSERT(6, outer[1].wide.i); ASSERT(7, s[2]);
    char own_first = in[1]; long own_l = in[3]; float3 own_v3[2]; char own_second = in[2]; int16 own_v16 = (int16)(in[5]); Outer own_outer[2];
    short own_s[3] __attribute__((aligned(64)));
    own_v3[in[1]] = (float3)(in[4]); own_outer[in[1]].wide.i = in[6]; own_s[in[2]] = in[7];
    ASSERT(0, MISALIGNED(&own_l, 8)); ASSERT(0, MISALIGNED(&own_v3[1], 16)); ASSERT(0, MISALIGNED(&own_v16, 64));
    ASSERT(0, MISALIGNED(&own_outer[in[1]].wide, 32)); ASSERT(0, MISALIGNED(own_s, 64)); ASSERT(1, MISALIGNED(&own_first, 8) < 8);
    ASSERT(3, own_first + own_second); ASSERT(6, own_outer[1].wide.i); ASSERT(7, own_s[2]);
}
constant char before_table = 1;
constant int table[3] __attribute__((aligned(128))) = {5, 6, 7};
constant char behind_table = 2;
constant float3 vectors[2] = {(float3)(1, 2, 3), (float3)(4, 5, 6)};
kernel void test_constants(global uint *record, global int *in) {
    ASSERT(0, MISALIGNED(table, 128)); ASSERT(7, table[in[2]]); ASSERT(3, before_table + behind_table); ASSERT(0, MISALIGNED(&vectors[in[1]], 16));
    ASSERT_BITS(0x40c00000, vectors[in[1]].z);
}

// 1.11.1-8: arithmetic is int's, memory as small as can be
enum Small negate(enum Small x) { return -x; }
kernel void test_small_enums(global uint *record, global int *in, global enum Small *out, global enum Middle *middle) {
    out[1] = Least; out[2] = in[99]; out[3] = in[200];
    ASSERT(0x63, ((global uchar *)out)[2]); ASSERT(-100, out[1]); ASSERT(-56, out[3]); ASSERT(99 * 99, out[2] * out[2]);
    ASSERT(100, negate(out[1])); ASSERT(1, out[1] < 0); ASSERT_BITS(0xc2c80000, (float)out[1]); ASSERT(-50, out[1] >> 1);
    out[1]++; out[2] += in[30]; ASSERT(-99, out[1]); ASSERT(-127, out[2]);
    middle[1] = in[0] - 1; ASSERT(65535, middle[1]); middle[1]++; ASSERT(0, middle[1]); ASSERT(-1, middle[1] - 1);
    Enums e[2] = {{1, Most, Big}, {2, Least, in[7]}}; WithRoomy roomy = {1, Some, 2};
    ASSERT(-100, e[in[1]].small); ASSERT(7, e[in[1]].middle); ASSERT(1000, e[in[0]].middle); ASSERT(1, roomy.roomy); ASSERT(2, roomy.end);
    switch (e[in[1]].small) { case Least: ASSERT(2, e[1].c); break; default: ASSERT(0, 1); }
}
