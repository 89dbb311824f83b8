// Fences, and atomic operations with an order, where work-items part: later sub-groups are through sooner.
// OPTIONS: -cl-std=CL2.0
// RUN: global=12 local=12
// RUN: global=100 local=50
// PRINTS*112: fences
// PRINTS*112: orders
#include "assert.h"

kernel void test_fences(global uint *record, global int *in) {
    uint last = 60 - get_local_id(0), count = 0;
    for (uint i = 0; i < last; i++) {
        count++;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    }
    ASSERT(last, count);
    for (uint i = 0; i < last; i++) {
        count++;
        mem_fence(CLK_LOCAL_MEM_FENCE);
    }
    ASSERT(2 * last, count);
    printf("fences\n");  // a work-item that is lost fails no assertion
}

kernel void test_orders(global uint *record, global atomic_int *in) {
    uint last = 60 - get_local_id(0);
    int sum = 0;
    for (uint i = 0; i < last; i++) sum += atomic_load(&in[3]);
    ASSERT(3 * last, sum);
    for (uint i = 0; i < last; i++) atomic_fetch_add_explicit(&in[4], 2, memory_order_acq_rel);
    for (uint i = 0; i < last; i++) {
        int expected = 5;
        if (!atomic_compare_exchange_strong(&in[5], &expected, 5)) sum++;
        atomic_store_explicit(&in[6], expected, memory_order_release);
    }
    ASSERT(3 * last, sum);
    ASSERT(0, atomic_load(&in[4]) & 1);
    ASSERT(5, atomic_load_explicit(&in[6], memory_order_acquire));
    printf("orders\n");
}
