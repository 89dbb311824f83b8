// SPDX-License-Identifier: Apache-2.0
// Unions with members that are pointers to private or local memory, beside members that have more bits than a device needs for
// such a pointer: initialised by numbers, copied whole, in structs, arrays and arguments (1.2.4-1).
#include "assert.h"

struct Numbers { uint first; volatile char second; int third; };
typedef union { struct Numbers numbers; volatile char *pointer; ulong all; short part; } Near;
typedef union { local int *pointer; ulong all; struct { uint low, high; } halves; } Far;
typedef union { struct { char tag; int *pointer; } tagged; ulong words[2]; } Gapped;
typedef struct { char before; Near near; Far far[2]; } Outer;

uint high_of(Far far) { return far.halves.high; }
int target_of(Gapped gapped) { return *gapped.tagged.pointer; }

kernel void test_numbers(global uint *record, global int *in) {
    Near a = {{1, 4, 0x5e0cee11}};
    ASSERT(1, a.numbers.first); ASSERT(4, a.numbers.second); ASSERT(0x5e0cee11, a.numbers.third);
    Near b; b = a;
    ASSERT(4, b.numbers.second); ASSERT(1, b.part);
    Far c = {.all = 0x500000007ul}, d = c;
    ASSERT(5, c.halves.high); ASSERT(7, d.halves.low); ASSERT(5, high_of(d));
    d.halves.high += in[3]; c = d;
    ASSERT_LONG(0x800000007ul, c.all);
    Outer outer = {1, {{2, 3, 4}}, {{.all = 0x600000000ul}, {.all = 0x700000001ul}}}, copies[2];
    copies[in[1]] = outer; copies[in[0]] = copies[in[1]];
    ASSERT(3, copies[0].near.numbers.second); ASSERT(4, copies[0].near.numbers.third);
    ASSERT(6, copies[0].far[in[0]].halves.high); ASSERT(7, high_of(copies[1].far[in[1]]));
}

kernel void test_pointers(global uint *record, global int *in) {
    local int shared[4];
    int own[4] = {in[1], in[2], in[3], in[4]};
    volatile char bytes[4] = {5, 6, 7, 8};
    shared[in[2]] = 9;
    Near a = {.pointer = bytes + in[1]}, b = a;
    ASSERT(6, *b.pointer); ASSERT(1, a.all == b.all);
    Far c = {.pointer = shared}, d; d = c;
    ASSERT(9, d.pointer[2]); ASSERT(1, c.all == d.all);
    Gapped e = {.tagged = {1, own + in[2]}}, f = e, many[2];
    ASSERT(3, *f.tagged.pointer); ASSERT(3, target_of(f)); ASSERT(1, e.words[1] == f.words[1]);
    many[in[1]] = f; many[in[0]] = many[in[1]]; --many[0].tagged.pointer;
    ASSERT(2, target_of(many[in[0]])); ASSERT(3, target_of(many[in[1]]));
    Outer outer = {0, a, {c, d}}, copy = outer;
    ASSERT(6, *copy.near.pointer); ASSERT(9, copy.far[in[1]].pointer[in[2]]);
    f.tagged.pointer = 0; e = f;
    ASSERT(1, e.tagged.pointer == 0);
}

// Bytes of pointers that are copied as words, in turns that are not counted.
typedef struct { int *pointer; int number; } Tagged;
typedef struct { local int *pointer; int number; } Shared;

void copy_words(void *to, const void *from, int count) {
    for (int i = 0; i < count; ++i) ((uint *)to)[i] = ((const uint *)from)[i];
}

kernel void test_words(global uint *record, global int *in) {
    int first = in[7], second = in[9], words = sizeof(int *[2]) / 4 + in[0];
    int *pointers[2] = {&first, &second};
    union { int *pointers[2]; uint words[sizeof(int *[2]) / 4]; } a;
    for (int i = 0; i < words; ++i) a.words[i] = ((uint *)pointers)[i];
    *a.pointers[in[1]] += in[5];
    ASSERT(7, first); ASSERT(14, second);
    union { int *pointers[2]; ushort words[sizeof(int *[2]) / 2]; } b;
    for (int i = 0; i < 2 * words; ++i) b.words[i] = ((ushort *)pointers)[i];
    *b.pointers[in[0]] += in[3];
    ASSERT(10, first); ASSERT(14, second);
    union { uint words[sizeof(int *) / 4]; int *pointer; } c, d;
    c.pointer = in[1] ? &second : &first;
    for (int i = 0; i < words / 2; ++i) d.words[i] = c.words[i];
    *d.pointer = in[4];
    ASSERT(10, first); ASSERT(4, second);
    Tagged e = {in[1] ? &first : &second, in[8]}, f = {0, 0};
    copy_words(&f, &e, sizeof(int *) / 4 + in[1]);
    *f.pointer += f.number;
    ASSERT(18, first); ASSERT(8, f.number);
}

kernel void test_words_of_local(global uint *record, global int *in) {
    local int near[2], far[2];
    near[0] = 7; far[0] = 9;
    Shared a = {in[1] ? near : far, in[3]}, b = {0, 0};
    for (int i = 0; i < sizeof(local int *) / 4 + in[1]; ++i) ((uint *)&b)[i] = ((uint *)&a)[i];
    *b.pointer += b.number;
    ASSERT(10, near[0]); ASSERT(9, far[0]);
}
