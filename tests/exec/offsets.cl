// SPDX-License-Identifier: Apache-2.0
// The same kernel where dispatches begin at 0 and where they do not, in any order: 1.13.1-3, 1.13.1-5, 1.13.1-8 to 1.13.1-10.
// OPTIONS: -cl-std=CL2.0
// RUN: global=8,4 local=4,2
// RUN: global=8,4 local=4,2 offset=3
// RUN: global=9,5 local=4,2
// RUN: global=9,5 local=4,2 offset=0,4294967296
// RUN: global=8,4 local=4,2
#include "assert.h"

// Not inlined everywhere: it must know the bases as well.
size_t linear(void) { return (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0); }

kernel void test_bases(global uint *record, global int *seen) {
    for (uint d = 0; d < 2; d++) {
        ASSERT(get_global_id(d), get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d) + get_global_offset(d));
        ASSERT(1, get_group_id(d) < get_num_groups(d));
    }
    ASSERT(linear(), get_global_linear_id());
    ASSERT(linear(), atomic_xchg(&seen[linear()], -1));  // every work-item once: memory held its own index
}
