// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL3.0
// Program-scope objects whose type is complete only at the end of the unit (C99 6.9.2p2).
#include "assert.h"
struct Later later;
enum Number number;
struct Later { int x; long y; };
enum Number { One = 1, Two };
kernel void test_tentative(global uint *record, global const int *in) {
    ASSERT(0, later.x); ASSERT_LONG(0, later.y); ASSERT(0, number);
    later.x = in[3]; later.y = in[4]; number = in[1] ? Two : One;
    ASSERT(3, later.x); ASSERT_LONG(4, later.y); ASSERT(2, number);
}
