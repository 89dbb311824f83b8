// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Constants longer than one instruction holds (65,535 words) lie in several.
// RUN: global=1
#include "assert.h"
#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define THOUSAND(x) TEN(TEN(TEN(x)))
constant int table[150000] = {TEN(TEN(THOUSAND(7))), [65531] = 1, 2, 3, [99999] = 4};
struct pair { char a; short b; };
constant struct pair pairs[70000] = {[65532] = {1, 2}, [69999] = {3, 4}};
kernel void test_long(global uint *record, global int *in) {
    ASSERT(7, table[in[0]]); ASSERT(7, table[65530 + in[0]]); ASSERT(1, table[65530 + in[1]]);
    ASSERT(2, table[65530 + in[2]]); ASSERT(3, table[65530 + in[3]]); ASSERT(7, table[65530 + in[4]]);
    ASSERT(4, table[99998 + in[1]]); ASSERT(0, table[99999 + in[1]]); ASSERT(0, table[149998 + in[1]]);
    ASSERT(0, pairs[in[0]].b); ASSERT(2, pairs[65530 + in[2]].b); ASSERT(3, pairs[69998 + in[1]].a);
    constant int *end = table + 66000, *p = table + 65000 + in[100];
    int sum = 0;
    for (; p < end; ++p) sum += *p;
    ASSERT(7 * (900 - 3) + 1 + 2 + 3, sum);
}
