// Device-side enqueue: several blocks by every work-item (OpenCL C 2.0 6.13.17), more events than there are at one time.
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
// DEVICE_QUEUE: 1000000 256
// RUN: global=1
// RUN: global=100 local=10
// RUN: global=37
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

// 1.13.17-19, to the default queue and the one of the argument
kernel void test_many(global uint *record, queue_t q) {
    int id = get_global_id(0);
    for (int i = 0; i < 3; i++) {
        queue_t to = q;
        if (i == 1) to = get_default_queue();
        ASSERT(0, enqueue_kernel(to, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{ atomic_fetch_add(&ran, id + i + 1); }));
    }
    ASSERT(1, get_default_queue() == q);  // 1.13.17-34
    ASSERT(0, get_default_queue() == CLK_NULL_QUEUE);
}
// Kernels run with all sizes before the next kernel does.
kernel void test_many_after(global uint *record) {
    int sum = atomic_exchange(&ran, 0), id = (int)get_global_id(0);
    ASSERT(1, sum == 0 || sum == 12 + 2 * (3 * 4950 + 600) + 2 * (3 * 666 + 222));
}

// Events are used again: 100 work-items have two each, 20 times
kernel void again(global uint *record, queue_t q, int times) {
    clk_event_t event, marker;
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{ atomic_fetch_add(&ran, 1); }));
    ASSERT(0, enqueue_marker(q, 1, &event, &marker));
    if (times > 1)
        ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, NULL,
                                 ^{ again(record, q, times - 1); }));
    release_event(event);
    release_event(marker);
}
kernel void test_again(global uint *record, queue_t q) { again(record, q, 20); }
kernel void test_again_after(global uint *record) {
    int count = atomic_exchange(&ran, 0);
    ASSERT(1, count == 0 || count == 20 * 138);
}
