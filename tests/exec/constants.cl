// SPDX-License-Identifier: Apache-2.0
// Program-scope constants and tables: 1.5.3-1.
#include "assert.h"
constant int kTable[8] = {1, 1, 2, 3, 5, 8, 13, 21};
constant float kPi = 3.14159274f;
constant struct { int a; float4 v; short s[2]; } kRecord = {7, (float4)(1, 2, 3, 4), {-1, -2}};
constant char kText[] = "caldera";
constant int *constant kMiddle = &kTable[3];
constant uint kMatrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
int lookup(constant int *t, int i) { return t[i]; }
kernel void test_constants(global uint *record, global int *in) {
    ASSERT(13, kTable[in[6]]); ASSERT(21, kTable[7]); ASSERT(5, lookup(kTable, in[4]));
    ASSERT_BITS(0x40490fdb, kPi + in[0]);
    ASSERT(7, kRecord.a); ASSERT_BITS(0x40400000, kRecord.v.z); ASSERT(-2, kRecord.s[in[1]]);
    ASSERT('d', kText[in[3]]); ASSERT(8, sizeof(kText));
    ASSERT(5, kMiddle[in[1]]); ASSERT(6, kMatrix[in[1]][in[2]]);
    constant int *p = in[1] ? kTable : kMiddle;
    ASSERT(2, p[in[2]]);
    constant int inner[3] = {10, 20, 30};
    ASSERT(30, inner[in[2]]);
    constant char *s = "string";
    ASSERT('r', s[in[2]]);
}
kernel void test_argument(global uint *record, constant int *in) { ASSERT(9, in[9]); ASSERT(12, lookup(in, 12)); }
