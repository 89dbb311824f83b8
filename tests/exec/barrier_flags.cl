// SPDX-License-Identifier: Apache-2.0
// work_group_barrier with every combination of flags and scopes: it orders the memory that its flags name, and with none the work-items
// still wait: 1.13.8-3, 1.13.8-4, 1.13.8-5, 1.13.8-6.
// OPTIONS: -cl-std=CL2.0
// RUN: global=64 local=32
// RUN: global=192 local=96
#include "assert.h"

#define LOCAL_ROUND(...)                                                                                  \
    box[id] = ++round * 1000 + id;                                                                        \
    work_group_barrier(__VA_ARGS__);                                                                      \
    ASSERT(round * 1000 + (id + 7) % size, box[(id + 7) % size]);                                         \
    work_group_barrier(__VA_ARGS__);
#define GLOBAL_ROUND(...)                                                                                 \
    mine[id] = ++round * 1000 + id;                                                                       \
    work_group_barrier(__VA_ARGS__);                                                                      \
    ASSERT(round * 1000 + (id + 7) % size, mine[(id + 7) % size]);                                        \
    work_group_barrier(__VA_ARGS__);

kernel void test_flags(global uint *record, global int *out) {
    local int box[96];
    const int id = get_local_id(0), size = get_local_size(0);
    global int *mine = out + get_group_id(0) * size;
    int round = 0;
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE)
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE, memory_scope_device)
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device)
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE)
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_work_group)
    GLOBAL_ROUND(CLK_GLOBAL_MEM_FENCE)
    GLOBAL_ROUND(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group)
    GLOBAL_ROUND(CLK_GLOBAL_MEM_FENCE, memory_scope_device)
    GLOBAL_ROUND(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
    GLOBAL_ROUND(CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_device)
}

// For programs that ask for it, the work-item's scope orders as much as the work-group's.
kernel void test_own_scope(global uint *record, global int *out) {
    local int box[96];
    const int id = get_local_id(0), size = get_local_size(0);
    global int *mine = out + get_group_id(0) * size;
    int round = 0;
    LOCAL_ROUND(CLK_LOCAL_MEM_FENCE, memory_scope_work_item)
    GLOBAL_ROUND(CLK_GLOBAL_MEM_FENCE, memory_scope_work_item)
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
}

// Both spaces by one barrier: a flag in local memory says what is in global memory, and the other way round
kernel void test_both(global uint *record, global int *out) {
    local int box[96];
    const int id = get_local_id(0), size = get_local_size(0), next = (id + 1) % size;
    global int *mine = out + get_group_id(0) * size;
    for (int round = 0; round < 8; round++) {
        mine[next] = round * 100 + id;
        box[id] = next;
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        ASSERT(round * 100 + next, mine[box[next]]);
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}

// With no flag no memory is ordered, but nobody goes on before all have come: atomic operations see it
kernel void test_no_flags(global uint *record, global int *out) {
    local atomic_int arrived;
    if (get_local_id(0) == 0) atomic_init(&arrived, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 1; round <= 8; round++) {
        atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel, memory_scope_work_group);
        work_group_barrier(0);
        ASSERT(round * (int)get_local_size(0), atomic_load_explicit(&arrived, memory_order_acquire, memory_scope_work_group));
        work_group_barrier(0, memory_scope_work_group);
    }
}
