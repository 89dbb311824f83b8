// Device-side enqueue: a queue for few records and events (OpenCL C 2.0 6.13.17).
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0 -g
// DEVICE_QUEUE: 1200 4
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0), accepted = ATOMIC_VAR_INIT(0);

// 1.13.17-12: what was accepted runs, and then there is room again
kernel void test_full(global uint *record, queue_t q) {
    bool is_full = false;
    for (int i = 0; i < 100; i++) {
        int status = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
            atomic_fetch_add(&ran, 1);
            if (i == 0)
                ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_fetch_add(&ran, 1000); }));
        });
        if (status == CLK_SUCCESS) {
            ASSERT(0, is_full);
            atomic_fetch_add(&accepted, 1);
        } else {
            is_full = true;
            ASSERT(CLK_DEVICE_QUEUE_FULL, status);
        }
    }
    ASSERT(1, is_full);
    ASSERT(1, atomic_load(&accepted) >= 4);
}
kernel void test_full_after(global uint *record) {
    ASSERT(1000 + atomic_exchange(&accepted, 0), atomic_exchange(&ran, 0));
}

// 1.13.17-14: no event is left; those that have been released come back when their commands are complete
kernel void test_events(global uint *record, queue_t q) {
    clk_event_t user[4], event;
    for (int i = 0; i < 4; i++) {
        user[i] = create_user_event();
        ASSERT(1, is_valid_event(user[i]));
        set_user_event_status(user[i], CL_COMPLETE);
    }
    ASSERT(0, is_valid_event(create_user_event()));
    void (^block)(void) = ^{ atomic_fetch_add(&ran, 1); };
    ASSERT(CLK_EVENT_ALLOCATION_FAILURE,
           enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, block));
    ASSERT(CLK_EVENT_ALLOCATION_FAILURE, enqueue_marker(q, 4, user, &event));
    for (int i = 0; i < 4; i++) release_event(user[i]);
    ASSERT(0, is_valid_event(user[0]));
    clk_event_t gone = user[0];
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        clk_event_t mine;
        ASSERT(0, is_valid_event(gone));
        ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &mine, ^{ atomic_fetch_add(&ran, 10); }));
        ASSERT(1, is_valid_event(mine));
        ASSERT(0, is_valid_event(gone));
    }));
}
kernel void test_events_after(global uint *record) { ASSERT(10, atomic_exchange(&ran, 0)); }
