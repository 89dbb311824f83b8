// Device-side enqueue where there is no device queue (OpenCL C 2.0 6.13.17).
// OPTIONS: -cl-std=CL2.0 -g
// DEVICE_QUEUE: none
#include "assert.h"

kernel void test_no_queue(global uint *record, queue_t q) {
    ASSERT(1, get_default_queue() == CLK_NULL_QUEUE);  // 1.13.17-34
    ASSERT(1, q == CLK_NULL_QUEUE);
    ASSERT(CLK_INVALID_QUEUE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{}));
    ASSERT(0, is_valid_event(create_user_event()));
}
