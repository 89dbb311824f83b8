// SPDX-License-Identifier: Apache-2.0
// Structs and arrays of a hundred numbers and more: arguments that are only read, written or passed on, structs by value to and from
// functions, copies of which one side is written in between.
// The runner fills an argument by value with the bytes 1, 2, 3, ...
#include "assert.h"

#define WORD(i) (0x01010101u * ((4 * (i)) & 255) + 0x04030201u)
typedef struct { uint words[60]; } Short;
typedef struct { uint first; uint words[80]; struct { ushort halves[2]; uint more[20]; } inner; } Long;
typedef struct { uint a[100]; } Big;

kernel void test_read(global uint *record, Long s, uint last, global uint *in) {
    ASSERT(WORD(0), s.first); ASSERT(WORD(1 + 9), s.words[in[9]]); ASSERT(WORD(1 + 30), s.words[30]);
    ASSERT(WORD(81) & 0xffff, s.inner.halves[in[0]]); ASSERT(WORD(82 + 5), s.inner.more[in[5]]);
    ASSERT(0x04030201, last);
    global uint *p = in + 3;
    ASSERT(WORD(1 + 3), s.words[*p]);
}
kernel void test_written(global uint *record, Long s, global uint *in) {
    s.words[in[7]] = 5;
    ASSERT(5, s.words[7]); ASSERT(WORD(1 + 8), s.words[in[8]]); ASSERT(WORD(0), s.first);
}
kernel void test_two(global uint *record, Big a, Short b, Big c, global uint *in) {
    ASSERT(WORD(50), a.a[in[50]]); ASSERT(WORD(50), c.a[in[50]]); ASSERT(WORD(20), b.words[in[20]]);
    Big d = in[1] ? a : c;
    d.a[in[2]]++;
    ASSERT(WORD(2) + 1, d.a[in[2]]); ASSERT(WORD(2), a.a[in[2]]);
}

uint total(Long s) {
    uint sum = s.first;
    for (uint i = 0; i < 80; i++) sum += s.words[i] * i;
    return sum;
}
kernel void test_passed_on(global uint *record, Long s, global uint *in) {
    ASSERT(0x821cb199, total(s));
    const uint before = total(s);
    s.words[in[3]] += 10;
    ASSERT(before + 30, total(s));
}

Big with(Big b, uint i, uint value) {
    b.a[i] = value;
    return b;
}
Big chosen(Big a, Big b, uint which) {
    if (which == 1) return a;
    return b;
}
kernel void test_by_value(global uint *record, global uint *in) {
    Big b;
    for (uint i = 0; i < 100; i++) b.a[i] = 2 * i;
    Big c = with(with(b, in[7], 1000), in[9], 2000);
    ASSERT(14, b.a[in[7]]); ASSERT(1000, c.a[in[7]]); ASSERT(2000, c.a[in[9]]); ASSERT(198, c.a[in[99]]);
    Big d = chosen(b, c, in[1]), e = chosen(b, c, in[2]);
    ASSERT(14, d.a[in[7]]); ASSERT(1000, e.a[in[7]]);
}
kernel void test_changed_between(global uint *record, global uint *in) {
    Big b, c;
    for (uint i = 0; i < 100; i++) b.a[i] = i;
    Big old = b;
    b.a[in[4]] = 77;
    c = b;
    b = old;
    ASSERT(77, c.a[in[4]]); ASSERT(4, b.a[in[4]]); ASSERT(4, old.a[in[4]]);
}
kernel void test_global(global uint *record, global Big *in) {
    Big b = in[0];
    in[0].a[5] = 500;
    ASSERT(5, b.a[in->a[5] - 495]); ASSERT(500, in->a[5]);
    b.a[in->a[6]] = 600;
    *in = b;
    ASSERT(600, in->a[6]); ASSERT(5, in->a[5]);
}
