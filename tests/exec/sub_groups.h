// SPDX-License-Identifier: Apache-2.0
// What tests of sub-group functions share: who is in which sub-group is asked of the device, what functions
// should give is computed from that by one work-item after the other.
#include "assert.h"

#define MAX_SIZE 256
// A kernel declares the table; every work-item fills in its own line.
#define WHO_IS_WHERE                                                             \
    local uint places[MAX_SIZE];                                                 \
    const uint me = get_local_linear_id(), lane = get_sub_group_local_id();      \
    const uint size = get_local_size(0) * get_local_size(1) * get_local_size(2); \
    places[me] = get_sub_group_id() << 16 | lane;                                \
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
#define GROUP_OF(i) (places[i] >> 16)
#define LANE_OF(i) (places[i] & 0xffff)

// For each work-item of the own sub-group, its linear id i.
#define FOR_EACH_MATE(i)            \
    for (uint i = 0; i < size; i++) \
        if (GROUP_OF(i) == get_sub_group_id())

// A value for each linear id: neither sorted nor all positive.
int value(global int* in, uint id) { return in[(id * 37 + 11) % 101] - 50; }
