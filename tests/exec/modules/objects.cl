// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// Objects that are copied over themselves, reached from their middle, passed by value, and made anew:
// objects.spvasm has the functions. Narrow switches, too.
#include "assert.h"

struct pair { int first; int row[3]; char tag; };
int overlap(global int *at, int n);
int inside(int a, int b);
int by_value(struct pair p, int n);
int starts_anew(int n);
int cases_of_short(short x);
int cases_of_char(char x);

kernel void test_copies(global uint *record, global int *in) {
    global int *at = in + 20;  // 20, 21, 22, ...
    ASSERT(221, overlap(at, in[1]));
    ASSERT(20, at[0]); ASSERT(20, at[1]); ASSERT(21, at[2]); ASSERT(22, at[3]); ASSERT(24, at[4]);
    at += 10;
    ASSERT(331, overlap(at, -in[2]));
    ASSERT(30, at[-2]); ASSERT(31, at[-1]); ASSERT(32, at[0]); ASSERT(31, at[1]); ASSERT(32, at[2]);
    at += 10;
    ASSERT(441, overlap(at, in[0]));
    ASSERT(40, at[0]); ASSERT(42, at[2]);
}

kernel void test_objects(global uint *record, global int *in) {
    ASSERT(5004, inside(in[4], in[5])); ASSERT(7009, inside(in[9], in[6]));
    struct pair p = {in[1], {in[2], in[3], in[4]}, (char)in[5]};
    ASSERT(64006, by_value(p, in[6])); ASSERT(3, p.row[1]);
    int sum = 0;
    for (int i = 0; i < 7; ++i) sum = sum * 3 + 10 + i % 3 + i % 3 + 1;
    ASSERT(sum, starts_anew(in[7]));
}

kernel void test_cases(global uint *record, global int *in) {
    ASSERT(1, cases_of_short(-in[1])); ASSERT(2, cases_of_short(-2 * in[16383] - 2));
    ASSERT(3, cases_of_short(in[5])); ASSERT(4, cases_of_short(in[6]));
    ASSERT(4, cases_of_short(in[255]));
    ASSERT(1, cases_of_char(-in[1])); ASSERT(1, cases_of_char(in[127])); ASSERT(2, cases_of_char(in[64]));
    ASSERT(2, cases_of_char(-in[64])); ASSERT(3, cases_of_char(in[3]));
    ASSERT(4, cases_of_char(in[4]));
}
