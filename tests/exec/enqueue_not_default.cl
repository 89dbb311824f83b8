// Device-side enqueue: the queue of an argument, which is not the default one (OpenCL C 2.0 6.13.17).
// OPTIONS: -cl-std=CL2.0 -g
// DEVICE_QUEUE: 65536 16 not default
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

kernel void test_not_default(global uint *record, queue_t q) {
    ASSERT(1, get_default_queue() == CLK_NULL_QUEUE);  // 1.13.17-34
    ASSERT(CLK_INVALID_QUEUE, enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{}));
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{ atomic_fetch_add(&ran, 1); }));
}
kernel void test_not_default_after(global uint *record) { ASSERT(3, atomic_exchange(&ran, 0)); }
