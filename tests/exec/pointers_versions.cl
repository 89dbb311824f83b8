// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Functions whose calls pass generic pointers into different spaces, which version_functions makes several of where
// accesses are checked: also by variables, through functions that return one of their pointers, and NULL.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

typedef struct { int key, value; } Item;

void swap(Item *a, Item *b) { Item kept = *a; *a = *b; *b = kept; }
void sort(Item *items, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && items[j - 1].key > items[j].key; j--) swap(items + j, items + j - 1);
}
void copy(int *to, const int *from, int n) { while (n--) *to++ = *from++; }
int sum(const int *from, int n) {
    const int *p = from;
    int result = 0;
    for (; n > 0; n--, p++) result += *p;
    return result;
}
int sum_of(const int *from, int n) { return from ? sum(from, n) : -1; }
int *larger(int *a, int *b) { return *b > *a ? b : a; }
int *behind(int *a, int n, int *b) { return sum(a, n) > 3 ? a + n : b; }

kernel void test_copies(global uint *record, global int *in, global int *out) {
    local int here[4];
    int own[4];
    copy(own, in + 1, 4); copy(here, own, 4); copy(out, here + 1, 3); copy(own + 1, out, 2); copy(here, in + 7, 1);
    ASSERT(1, own[0]); ASSERT(3, own[2]); ASSERT(4, out[2]); ASSERT(2, here[1]);
    ASSERT(1 + 2 + 3 + 4, sum(own, 4)); ASSERT(7 + 2 + 3 + 4, sum(here, 4)); ASSERT(2 + 3 + 4, sum(out, 3));
    ASSERT(4 + 5, sum(in + 4, 2)); ASSERT(-1, sum_of(0, 3)); ASSERT(5, sum_of(own + 1, 2)); ASSERT(0, sum_of(in, 1));
}

kernel void test_sorted(global uint *record, global int *in, global Item *out) {
    local Item here[4];
    Item own[4];
    for (int i = 0; i < 4; i++) { own[i].key = in[i] ^ 3; own[i].value = in[i]; here[i] = out[i] = own[i]; }
    sort(own, in[4]); sort(here, in[3]); sort(out + 1, in[3]); swap(own, here); swap(out, own + 1);
    ASSERT(1, own[0].key); ASSERT(3, own[1].key); ASSERT(2, own[2].key); ASSERT(0, here[0].key);
    ASSERT(2, here[1].key); ASSERT(0, here[3].key); ASSERT(3, here[3].value); ASSERT(1, out[0].key);
    ASSERT(0, out[1].key); ASSERT(3, out[1].value); ASSERT(2, out[3].key);
}

kernel void test_returned(global uint *record, global int *in, global int *out) {
    local int here[4];
    int own[4];
    for (int i = 0; i < 4; i++) { own[i] = in[i]; here[i] = in[i + 4]; out[i] = in[i + 8]; }
    int *p = larger(own, own + 2), *q = larger(here + 1, here), *r = larger(p, own + 3), *s = in[0] ? p : 0;
    ASSERT(2, *p); ASSERT(5, *q); ASSERT(3, *r); ASSERT(-1, sum_of(s, 1)); ASSERT(11, *larger(out, out + 3));
    ASSERT(2, *larger(p, own + 1)); ASSERT(11, *larger(q, out + 3)); ASSERT(5, *larger(r, q));
    ASSERT(10, *behind(out, 2, own)); ASSERT(1, *behind(own, 2, own + 1)); ASSERT(7, *behind(here, 3, out));
    ASSERT(8, *behind(own, 3, out)); *larger(p, q) = 40; ASSERT(40, here[1]); ASSERT(46, sum(here, 3) - 4);
    for (int i = 0; i < 3; i++) p = larger(p, in[0] ? p : own + i);
    ASSERT(2, sum(p, 1));
}
