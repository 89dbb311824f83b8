// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// Work-items of a sub-group that exchange what is in local memory by volatile accesses, without barriers. OpenCL does not promise that
// they go on together, but programs for NVIDIA's devices count on it (Boost.Compute's reduce), where Vulkan's compiler moves such
// loads before the stores.
// OPTIONS: -cl-std=CL2.0
// NEEDS: sub-groups
// RUN: global=256 local=64
#include "assert.h"

#define STEP(distance) mine[lane] = sum = sum + mine[lane + distance];

#define TEST_SUM(type)                                                                \
    local type all[64];                                                               \
    const uint lane = get_sub_group_local_id(), size = get_sub_group_size();          \
    volatile local type *mine = all + get_local_id(0) - lane;                         \
    type sum = in[lane];                                                              \
    mine[lane] = sum;                                                                 \
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                           \
    if (lane < size / 2) {                                                            \
        if (size == 32) {                                                             \
            STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)                                  \
        } else if (size == 8) {                                                       \
            STEP(4) STEP(2) STEP(1)                                                   \
        } else {                                                                      \
            for (uint distance = size / 2; distance > 0; distance /= 2) STEP(distance) \
        }                                                                             \
    }                                                                                 \
    if (lane == 0) ASSERT(size * (size - 1) / 2, all[get_local_id(0)]);

kernel void test_sum(global uint *record, global const int *in) { TEST_SUM(int) }
kernel void test_sum_of_floats(global uint *record, global const int *in) { TEST_SUM(float) }
kernel void test_sum_of_longs(global uint *record, global const int *in) { TEST_SUM(long) }

kernel void test_turns(global uint *record, global const int *in) {
    local int all[64];
    const uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    volatile local int *mine = all + get_local_id(0) - lane;
    mine[lane] = in[lane];
    for (uint i = 0; i < 3; i++) {
        const int next = mine[(lane + 1) % size];
        mine[lane] = next;
    }
    ASSERT((lane + 3) % size, mine[lane]);
}
