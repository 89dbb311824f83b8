// SPDX-License-Identifier: Apache-2.0
// Work-item functions with offset, and a local size that does not divide: 1.13.1-1 to 1.13.1-13.
// OPTIONS: -cl-std=CL2.0
// RUN: global=10,7,3 local=4,3,2 offset=100,20,3
#include "assert.h"
kernel void test_ids(global uint *record, global int *in, global int *seen) {
    ASSERT(3, get_work_dim());
    ASSERT(10, get_global_size(0)); ASSERT(7, get_global_size(1)); ASSERT(3, get_global_size(2)); ASSERT(1, get_global_size(3));
    ASSERT(100, get_global_offset(0)); ASSERT(0, get_global_offset(in[5]));
    ASSERT(3, get_num_groups(0)); ASSERT(3, get_num_groups(1)); ASSERT(2, get_num_groups(in[2])); ASSERT(1, get_num_groups(7));
    for (uint d = 0; d < 3; d++) {
        size_t enqueued = d == 0 ? 4 : d == 1 ? 3 : 2;
        ASSERT(get_global_id(d), get_group_id(d) * enqueued + get_local_id(d) + get_global_offset(d));
        ASSERT(1, get_local_id(d) < get_local_size(d));
        size_t rest = get_global_size(d) - get_group_id(d) * enqueued;
        ASSERT(rest < enqueued ? rest : enqueued, get_local_size(d));
    }
    ASSERT(0, get_global_id(3)); ASSERT(1, get_local_size(3)); ASSERT(0, get_group_id(9));
    size_t linear = ((get_global_id(2) - 3) * 7 + (get_global_id(1) - 20)) * 10 + get_global_id(0) - 100;
    ASSERT(linear, atomic_xchg(&seen[linear], -1));   // every work-item once: memory held its own index
}
