// SPDX-License-Identifier: Apache-2.0
// to_local and the like give NULL (1.13.9-1) in a program in which no other pointer is NULL.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

int space_of(int *p) { return to_local(p) ? 2 : to_private(p) ? 3 : 1; }

kernel void test_null_of_another_space(global uint *record, global int *in, global int *out) {
    local int here[4];
    int mine[4] = {in[9]}, *p = in[1] ? (int *)mine : here;
    ASSERT(3, space_of(p)); ASSERT(2, space_of(in[0] ? (int *)mine : here)); ASSERT(1, space_of(in[0] ? (int *)mine : out));
    here[in[0]] = 5; ASSERT(0, to_local(p) == here); ASSERT(9, *p); ASSERT(5, here[0]);
}
