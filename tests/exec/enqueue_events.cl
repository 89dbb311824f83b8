// Device-side enqueue: events, wait lists, markers, user events, profiling (OpenCL C 2.0 6.13.17).
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
// ENDS: test_failed_user_event -14
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);
global int order[16];
#define STEP(to) ^{ order[atomic_fetch_add(&ran, 1)] = (to); }

// 1.13.17-4: each waits for the one before it, though all are enqueued at once
kernel void test_chain(global uint *record, queue_t q) {
    clk_event_t events[8];
    for (int i = 0; i < 8; i++) {
        int status = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), i ? 1 : 0, i ? &events[i - 1] : NULL,
                                    &events[i], STEP(i));
        ASSERT(CLK_SUCCESS, status);
        ASSERT(1, is_valid_event(events[i]));  // 1.13.17-31
    }
    for (int i = 0; i < 8; i++) release_event(events[i]);  // 1.13.17-28
    ASSERT(0, is_valid_event(CLK_NULL_EVENT));             // 1.13.17-2
}
kernel void test_chain_after(global uint *record) {
    ASSERT(8, atomic_exchange(&ran, 0));
    for (int i = 0; i < 8; i++) ASSERT(i, order[i]);
}

// 1.13.17-27: a marker for two; what waits for it comes after both
kernel void test_marker(global uint *record, queue_t q) {
    clk_event_t marker, events[2];
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), 0, NULL, &events[0], STEP(1));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), 0, NULL, &events[1], STEP(1));
    ASSERT(0, enqueue_marker(q, 2, events, &marker));
    ASSERT(0, enqueue_marker(q, 2, events, NULL));
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, NULL, STEP(2)));
    release_event(events[0]);
    release_event(events[1]);
    release_event(marker);
}
kernel void test_marker_after(global uint *record) {
    ASSERT(5, atomic_exchange(&ran, 0));
    for (int i = 0; i < 4; i++) ASSERT(1, order[i]);
    ASSERT(2, order[4]);
}

// 1.13.17-29 1.13.17-30: a user event that another child sets
kernel void test_user_event(global uint *record, queue_t q) {
    clk_event_t user = create_user_event(), waits;
    ASSERT(1, is_valid_event(user));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &waits, STEP(2));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &waits, NULL, STEP(3));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        order[atomic_fetch_add(&ran, 1)] = 1;
        set_user_event_status(user, CL_COMPLETE);
    });
    release_event(waits);
}
kernel void test_user_event_after(global uint *record) {
    ASSERT(3, atomic_exchange(&ran, 0));
    for (int i = 0; i < 3; i++) ASSERT(i + 1, order[i]);
}

// Set before anybody waits, by the parent itself
kernel void test_set_user_event(global uint *record, queue_t q) {
    clk_event_t user = create_user_event();
    set_user_event_status(user, CL_COMPLETE);
    ASSERT(1, is_valid_event(user));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, NULL, STEP(1));
    release_event(user);
}
kernel void test_set_user_event_after(global uint *record) { ASSERT(1, atomic_exchange(&ran, 0)); }

// 1.13.17-24 1.13.17-30: an error; who waits for it does not run, nor who waits for that, and the parent fails
kernel void test_failed_user_event(global uint *record, queue_t q) {
    clk_event_t user = create_user_event(), first, marker;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &first, STEP(1));
    enqueue_marker(q, 1, &first, &marker);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, NULL, STEP(2));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), STEP(3));
    set_user_event_status(user, -7);
    ASSERT(1, is_valid_event(user));
}
kernel void test_failed_user_event_after(global uint *record) {
    ASSERT(1, atomic_exchange(&ran, 0));
    ASSERT(3, order[0]);
}

// 1.13.17-7 1.13.17-28: references; the child may use an event that it captures
kernel void test_references(global uint *record, queue_t q) {
    clk_event_t event;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, STEP(1));
    retain_event(event);
    release_event(event);
    ASSERT(1, is_valid_event(event));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        ASSERT(1, is_valid_event(event));
        clk_event_t first = event;
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, NULL, STEP(2));
        release_event(event);
        ASSERT(0, is_valid_event(event));
    });
}
kernel void test_references_after(global uint *record) {
    ASSERT(2, atomic_exchange(&ran, 0));
    ASSERT(2, order[1]);
}

// 1.13.17-32: END - START and COMPLETE - START, once the command is complete
kernel void test_profiling(global uint *record, global ulong *times, queue_t q) {
    times[0] = times[1] = times[2] = times[3] = ~0ul;
    clk_event_t event, after;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), 0, NULL, &event, ^{
        if (get_global_id(0) == 0) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), ^{ atomic_fetch_add(&ran, 1); });
    });
    capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, &after, ^{
        ASSERT(1, times[0] != ~0ul && times[1] != ~0ul);
        ASSERT(1, times[1] > times[0]);  // it has a child
        ASSERT(1, times[1] < 10000000000ul);
        ASSERT(1, times[2] == ~0ul);
        capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);
        ASSERT(1, times[2] == times[0] && times[3] == times[1]);  // the command is complete: at once
        atomic_fetch_add(&ran, 1);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &after, NULL, ^{
        ASSERT(1, times[2] == times[0] && times[3] == times[1]);
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_profiling_after(global uint *record) { ASSERT(66, atomic_exchange(&ran, 0)); }
