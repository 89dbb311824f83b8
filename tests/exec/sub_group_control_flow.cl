// SPDX-License-Identifier: Apache-2.0
// Sub-group functions in control flow: those that all work-items of the sub-group reach, after others went their own ways,
// and those of the non-uniform kind, for the work-items that are there (seed002-30).
// OPTIONS: -cl-std=CL2.0
// NEEDS: sub-groups
// RUN: global=96 local=32
// RUN: global=54 local=27
#include "sub_groups.h"

// Each round, one work-item more of each sub-group has left.
kernel void test_loop(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint mates = get_sub_group_size(), count = 0;
    for (uint round = 0;; round++) {
        if (lane < in[round]) break;
        count += sub_group_non_uniform_reduce_add(1u);
        ASSERT(round, sub_group_broadcast_first(lane));
    }
    // mates + (mates - 1) + ...: a work-item is there for lane + 1 rounds.
    ASSERT((lane + 1) * mates - lane * (lane + 1) / 2, count);
    ASSERT(mates, sub_group_reduce_add(1));
}

kernel void test_branches(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint mates = get_sub_group_size(), odd = mates / 2, even = mates - odd, found;
    // One label each: work-items that come by two need not meet before the switch ends.
    switch (in[lane] % 2) {
        case 0: found = sub_group_non_uniform_reduce_add(1); ASSERT(even, found); break;
        default:
            found = sub_group_non_uniform_reduce_add(1);
            ASSERT(odd, found);
            if (in[lane] == 1) goto out;
    }
    found = sub_group_non_uniform_reduce_max(in[lane]);
out:
    if (lane != 1) ASSERT(1, found == mates - 1 || mates < 3);
    ASSERT(mates, sub_group_reduce_add(1));
    // The groups of a work-group go their own ways.
    for (uint i = 0; i <= get_sub_group_id(); i++) ASSERT(mates * (mates - 1) / 2, sub_group_reduce_add(in[lane]));
    if (get_sub_group_id() % 2 == in[1]) ASSERT(lane, sub_group_scan_exclusive_add(in[1]));
}

// seed002-8, seed002-9: each sub-group has barriers of its own.
kernel void test_barriers(global uint *record, global uint *in) {
    local uint box[MAX_SIZE];
    WHO_IS_WHERE
    uint mates = get_sub_group_size(), first = get_sub_group_id() * get_max_sub_group_size();
    for (uint round = 0; round <= get_sub_group_id(); round++) {
        box[first + lane] = in[lane] + round;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        ASSERT((lane + 1) % mates + round, box[first + (lane + 1) % mates]);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(get_sub_group_id(), box[first]);
}

uint twice(global uint *record, uint x, uint expected) {
    if (x == 2) return 0;
    ASSERT(expected, sub_group_non_uniform_reduce_add(1));
    return x;
}
kernel void test_functions(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint mates = get_sub_group_size(), there = mates > 2 ? mates - 1 : mates;
    ASSERT(lane == 2 ? 0 : lane, twice(record, in[lane], there));
    ASSERT(mates, sub_group_reduce_add(1));
    if (lane < 3) ASSERT(lane == 2 ? 0 : lane, twice(record, in[lane], min(mates, 2u)));
}
