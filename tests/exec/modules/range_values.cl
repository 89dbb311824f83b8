// SPDX-License-Identifier: Apache-2.0
// ND ranges that modules pass by value: range_values.spvasm has the functions.
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#include "assert.h"

uint enqueue(queue_t q, global uint *out, ulong n);
uint sub_group_count(ulong n, ulong local_size);
uint sub_group_size(ulong n, ulong local_size);

global uint seen[8];

kernel void test_enqueue(global uint *record, queue_t q) { ASSERT(0, enqueue(q, seen, 5)); }
kernel void test_enqueue_after(global uint *record) {
    AS_IT_STANDS
    for (int i = 0; i < 8; i++) ASSERT(i < 5 ? i + 8 : 0, seen[i]);
}

kernel void test_queries(global uint *record, queue_t q) {
    ndrange_t range = ndrange_1D(64, 16);
    global uint *out = seen;
    ASSERT(get_kernel_sub_group_count_for_ndrange(range, ^{ out[0] = 1; }), sub_group_count(64, 16));
    ASSERT(get_kernel_max_sub_group_size_for_ndrange(range, ^{ out[0] = 1; }), sub_group_size(64, 16));
}
