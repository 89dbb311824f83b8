// SPDX-License-Identifier: Apache-2.0
// Braces around elements of vectors and other scalars in initialisers, as clang has them.
#include "assert.h"
typedef struct { int x; int2 v; int a[2]; } S;
constant int2 fixed = {{4}, 5};
constant S whole = {{1}, {{2}, 3}, {{4}, 5}};

kernel void test_vectors(global uint *record, global int *in) {
    int2 a = {{in[1]}, 2}, b = {3, {in[4]}}, c = {{5, in[6]}, 7};
    ASSERT(1, a.x); ASSERT(2, a.y); ASSERT(3, b.x); ASSERT(4, b.y); ASSERT(5, c.x); ASSERT(7, c.y);
    int4 d = {{in[1]}, (int2)(2, 3), {4}};
    ASSERT(1, d.x); ASSERT(2, d.y); ASSERT(3, d.z); ASSERT(4, d.w);
    float2 e = {{in[1]}, {2}};
    ASSERT(1, e.x == 1.0f && e.y == 2.0f);
    int2 f = {{in[1], 2}};  // clang refuses these
    ASSERT(1, f.x); ASSERT(2, f.y);
    ASSERT(4, fixed.x); ASSERT(5, fixed.y);
}
kernel void test_members(global uint *record, global int *in) {
    S s = {{in[1]}, {{in[2]}, 3}, {{4}, in[5]}};
    ASSERT(1, s.x); ASSERT(2, s.v.x); ASSERT(3, s.v.y); ASSERT(4, s.a[0]); ASSERT(5, s.a[1]);
    ASSERT(1, whole.x); ASSERT(2, whole.v.x); ASSERT(3, whole.v.y); ASSERT(4, whole.a[0]); ASSERT(5, whole.a[1]);
}
