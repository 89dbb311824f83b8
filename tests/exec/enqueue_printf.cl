// Device-side enqueue: children print (OpenCL C 2.0 6.13.13, 6.13.17); those that run at one time share the buffer.
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

kernel void test_printf(global uint *record, global int *a, queue_t q) {
    clk_event_t event;
    printf("parent\n");  // PRINTS: parent
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10), ^{
        printf("one of %d\n", a[20]);  // PRINTS*20: one of 20
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10), 0, NULL, &event, ^{ printf("one of %d\n", a[20]); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
        printf("%s %v4d\n", "last", (int4)(1, 2, 3, 4));  // PRINTS: last 1,2,3,4
    });
    release_event(event);
    ASSERT(20, a[20]);
}
