// SPDX-License-Identifier: Apache-2.0
// enable_if chooses among functions by what is known of the arguments when the call is compiled.
#include "assert.h"
#define OVER __attribute__((overloadable))
#define ENABLE_IF(condition) __attribute__((enable_if(condition, "")))
OVER int digits(int x) ENABLE_IF(x >= 0 && x < 10) { return 1; }
OVER int digits(int x) ENABLE_IF(x >= 10 && x < 100) { return 2; }
OVER int digits(int x) { return x < 10 ? 11 : 12; }
OVER int width(int x) { return 20; }
OVER int width(int x) ENABLE_IF(x > 0) { return 21; }
OVER int width(int x) ENABLE_IF(x > 0) ENABLE_IF(x > 7) { return 22; }
OVER int null(const int *p) ENABLE_IF(!p) { return 31; }
OVER int null(const int *p) { return 32; }
struct pair { int a, b; };
OVER int alike(struct pair p) ENABLE_IF(p.a == p.b) { return 41; }
OVER int alike(struct pair p) { return 42; }

kernel void test_enable_if(global uint *record, global const int *in) {
    const int known = 42;
    int n = in[3];
    ASSERT(1, digits(7));
    ASSERT(2, digits(known));
    ASSERT(1, digits(known - 40));
    ASSERT(11, digits(n));
    ASSERT(12, digits(100));
    ASSERT(1, digits(9.5f));
    ASSERT(2, digits('c'));
    ASSERT(20, width(0));
    ASSERT(21, width(1));
    ASSERT(22, width(8));
    ASSERT(20, width(n));
    ASSERT(31, null(0));
    ASSERT(32, null(&n));
    ASSERT(41, alike((struct pair){1, 1}));
    ASSERT(42, alike((struct pair){1, 2}));
}
