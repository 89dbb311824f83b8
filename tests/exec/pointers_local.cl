// SPDX-License-Identifier: Apache-2.0
// Pointers into local memory (1.5.2-1, 1.5.2-2): casts between pointee types (1.2.5-1), to and from integers (1.1.1-13),
// comparison and subtraction, NULL (1.5.6-12), pointers that lie in local memory, pointers to pointers, phi and select over
// different objects, out-parameters, unions (1.2.4-1).
#include "assert.h"

typedef struct { local int *data, *end; } Range;
typedef union { ulong all; uint halves[2]; ushort quarters[4]; uchar bytes[8]; float2 floats; } Pun;

int sum(Range r) { int s = 0; for (local int *p = r.data; p != r.end; ++p) s += *p; return s; }
void divide(int a, int b, local int *quotient, local int *rest) { *quotient = a / b; if (rest) *rest = a % b; }
local int *largest(local int *a, local int *b) { return *a > *b ? a : b; }

kernel void test_casts(global uint *record, global int *in) {
    local int words[8];
    for (int i = 0; i < 8; i++) words[i] = in[i + 1] * 0x01010101;
    local uchar *bytes = (local uchar *)words; ASSERT(2, bytes[in[4]]); ASSERT(6, bytes[in[23]]);
    local ushort *shorts = (local ushort *)(bytes + 2); ASSERT(0x0101, shorts[in[0]]); ASSERT(0x0202, shorts[in[1]]);
    local ulong *longs = (local ulong *)words; ASSERT_LONG(0x0404040403030303ul, longs[in[1]]);
    local int4 *vectors = (local int4 *)words; ASSERT(0x08080808, vectors[in[1]].w);
    vectors->y = in[77]; ASSERT(77, words[1]);
    local float *floats = (local float *)words; floats[in[2]] = 1.5f; ASSERT(0x3fc00000, words[2]);
    local void *any = words; ASSERT(77, ((local int *)any)[in[1]]);
    bytes[in[9]] = 0xee; ASSERT(0x3fc0ee00, words[2]);
    longs[in[2]] = 0x1112131415161718ul; ASSERT(0x11121314, words[5]); ASSERT(0x1516, shorts[8]);
}

kernel void test_integers(global uint *record, global int *in) {
    local int array[4];
    for (int i = 0; i < 4; i++) array[i] = 10 * in[i + 1];
    ulong address = (ulong)array;
    ASSERT(30, *(local int *)(address + 8)); ASSERT(40, *(local int *)(address + 4 * in[3])); ASSERT(0, address % 4);
    intptr_t one = (intptr_t)&array[1], three = (intptr_t)&array[in[3]];
    ASSERT(8, three - one); ASSERT(1, (local int *)one == array + 1);
}

kernel void test_comparison(global uint *record, global int *in) {
    local int array[8], other;
    local short s[5];
    other = in[5];
    local int *first = array + in[2], *last = array + in[6];
    ASSERT(4, last - first); ASSERT(1, first < last); ASSERT(0, first >= last); ASSERT(1, first != &other);
    ASSERT(3, (s + in[4]) - (s + in[1])); ASSERT(-3, (s + in[1]) - (s + in[4]));
    local int *none = 0, *some = in[1] ? &other : none;
    ASSERT(1, !none); ASSERT(0, !some); ASSERT(5, some ? *some : -1);
    some = in[0] ? &other : none;
    ASSERT(1, some == 0); ASSERT(-1, some ? *some : -1); ASSERT(0, array == 0);
}

kernel void test_in_objects(global uint *record, global int *in) {
    local int array[6], one, two;
    for (int i = 0; i < 6; i++) array[i] = in[i];
    one = 11; two = 22;
    Range r = {array + 1, array + in[5]}, many[2] = {r, {array, array + 2}};
    ASSERT(1 + 2 + 3 + 4, sum(r)); ASSERT(1, sum(many[in[1]])); many[in[1]].end += 2; ASSERT(6, sum(many[1]));
    local int *table[3] = {&one, &two, array + 3};
    ASSERT(3, *table[in[2]]); *table[in[1]] += 20; ASSERT(42, two);
    local int **pp = table + in[1]; ASSERT(42, **pp); ++pp; ASSERT(3, **pp); *pp = &one; ASSERT(11, *table[2]);
}

// Pointers that lie in local memory, to local and to global memory.
kernel void test_kept_in_local(global uint *record, global int *in, global int *out) {
    local int array[4];
    local int *local slots[3];
    local Range range;
    local int *local *where = slots + in[1];
    for (int i = 0; i < 4; i++) array[i] = 10 * i;
    slots[0] = array + 3; slots[in[2]] = array + in[1]; *where = array;
    ASSERT(30, *slots[in[0]]); ASSERT(0, **where); ASSERT(10, **++where); *slots[in[2]] = 11; ASSERT(11, array[1]);
    range.data = array + 1; range.end = array + in[4];
    ASSERT(11 + 20 + 30, sum(range)); range.data++; ASSERT(50, sum(range));
}

kernel void test_different_objects(global uint *record, global int *in) {
    local int a, b[3], c;
    a = 1; c = 5;
    for (int i = 0; i < 3; i++) b[i] = i + 2;
    local int *p = &a;
    for (int i = 0; i < 3; i++) { *p += 10; p = i == in[0] ? b + 1 : i == in[1] ? &c : p; }
    ASSERT(11, a); ASSERT(13, b[1]); ASSERT(15, c); ASSERT(1, p == &c);
    *largest(&a, b + in[1]) = 100; ASSERT(100, b[1]);
    divide(in[17], in[5], &a, &c); ASSERT(3, a); ASSERT(2, c);
    divide(in[17], in[4], b + in[2], 0); ASSERT(4, b[2]);
}

kernel void test_unions(global uint *record, global int *in) {
    local Pun u, many[3];
    u.all = 0x1122334455667788ul + in[0];
    ASSERT(0x55667788, u.halves[in[0]]); ASSERT(0x1122, u.quarters[in[3]]); ASSERT(0x66, u.bytes[in[2]]);
    u.bytes[in[7]] = 0xaa; ASSERT_LONG(0xaa22334455667788ul, u.all);
    u.floats = (float2)(1.0f, 2.0f) * in[1]; ASSERT_LONG(0x400000003f800000ul, u.all);
    many[in[1]] = u; many[in[1]].quarters[0] = 9; ASSERT_LONG(0x400000003f800009ul, many[1].all);
    local Pun *p = many + in[1]; p->floats.y = 0.5f; ASSERT(0x3f000000, p->halves[1]);
}
