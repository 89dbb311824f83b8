// SPDX-License-Identifier: Apache-2.0
// Nothing is loaded from a pointer that a condition, a return or the end of a loop guards, though all work-items have it in common.
// RUN: global=16 local=16
// RUN: global=1 local=1
#include "assert.h"

#define FAR (1 << 28)

kernel void test_branches(global uint *record, global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = 7;
    if (in[i] < 0) out[i] = in[FAR];
    ASSERT(7, out[i]);
    for (int k = 0; k < in[i] - i; ++k) out[i] += in[FAR];
    ASSERT(7, out[i]);
    for (int k = 0; k < in[0]; ++k) out[i] += in[FAR + k];
    ASSERT(7, out[i]);
}
kernel void test_null(global uint *record, global const int *in, global int *out) {
    int i = get_global_id(0);
    global const int *none = in[i] < 0 ? in : 0;
    out[i] = 7;
    if (none) out[i] = *none;
    ASSERT(7, out[i]);
}
kernel void test_return(global uint *record, global const int *in, global int *out) {
    int i = get_global_id(0);
    ASSERT(i, in[i]);
    if (in[i] >= 0) return;
    out[i] = in[FAR];
}
