// Device-side enqueue with -cl-uniform-work-group-size (OpenCL C 2.0 6.13.17), and what a failure is called without -g.
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0 -cl-uniform-work-group-size
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

kernel void test_uniform(global uint *record, queue_t q) {
    void (^block)(void) = ^{ atomic_fetch_add(&ran, 1); };
    queue_t null = CLK_NULL_QUEUE;
    clk_event_t marker;
    ASSERT(CLK_ENQUEUE_FAILURE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3, 2), block));  // 1.13.17-10
    ASSERT(CLK_ENQUEUE_FAILURE, enqueue_kernel(null, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), block));  // 1.13.17-8
    ASSERT(CLK_ENQUEUE_FAILURE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), 1, NULL, NULL, block));
    ASSERT(CLK_ENQUEUE_FAILURE, enqueue_marker(q, 0, NULL, &marker));
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 2), block));
}
kernel void test_uniform_after(global uint *record) { ASSERT(4, atomic_exchange(&ran, 0)); }
