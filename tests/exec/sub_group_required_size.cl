// SPDX-License-Identifier: Apache-2.0
// A required work-group size of three dimensions, where sub-groups want one.
// OPTIONS: -cl-std=CL2.0
// RUN: global=10,6,4 local=5,3,2
// RUN: global=5,6,2 local=5,3,2 offset=3,0,1
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#include "assert.h"

kernel __attribute__((reqd_work_group_size(5, 3, 2))) void test_ids(global uint *record, global uint *in) {
    local uint seen[30];
    uint me = get_local_linear_id();
    ASSERT(get_local_id(0) + 5 * (get_local_id(1) + 3 * get_local_id(2)), me);
    for (int d = 0; d < 3; d++)
        ASSERT(get_global_offset(d) + get_group_id(d) * get_local_size(d) + get_local_id(d), get_global_id(d));
    ASSERT(me * (me + 1) / 2, work_group_scan_inclusive_add(me));
    ASSERT(29, work_group_reduce_max(me));
    ASSERT(0, sub_group_scan_exclusive_min(me) != UINT_MAX && get_sub_group_local_id() == 0);
    seen[me] = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&seen[get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id()]);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(1, seen[me]);
}
