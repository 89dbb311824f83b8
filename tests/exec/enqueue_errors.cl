// Device-side enqueue: why it fails, in detail (OpenCL C 2.0 6.13.17, with -g). Errors leave nothing behind.
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0 -g
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

kernel void test_queue(global uint *record, queue_t q) {
    clk_event_t event = create_user_event(), marker;
    queue_t null = CLK_NULL_QUEUE;
    void (^block)(void) = ^{ atomic_fetch_add(&ran, 1); };
    ASSERT(CLK_INVALID_QUEUE, enqueue_kernel(null, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), block));  // 1.13.17-9
    ASSERT(CLK_INVALID_QUEUE, enqueue_marker(null, 1, &event, &marker));
}

kernel void test_range(global uint *record, global int *a, queue_t q) {
    void (^block)(void) = ^{ atomic_fetch_add(&ran, 1); };
    uint max = get_kernel_work_group_size(block);
    ndrange_t range = ndrange_1D(max + 1, max + 1);
    ASSERT(CLK_INVALID_NDRANGE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, block));  // 1.13.17-10
    range = ndrange_1D(~0ul, 2, 1);
    ASSERT(CLK_INVALID_NDRANGE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, block));
    size_t size[2] = {4, 4}, local_size[2] = {4, 0};
    ASSERT(CLK_INVALID_NDRANGE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(size, local_size), block));
    // Without -cl-uniform-work-group-size
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3, 2), block));
}
kernel void test_range_after(global uint *record) { ASSERT(3, atomic_exchange(&ran, 0)); }

kernel void test_wait_list(global uint *record, queue_t q) {  // 1.13.17-11
    clk_event_t events[2] = {create_user_event(), CLK_NULL_EVENT}, marker;
    set_user_event_status(events[0], CL_COMPLETE);
    void (^block)(void) = ^{ atomic_fetch_add(&ran, 1); };
    ndrange_t range = ndrange_1D(1);
    kernel_enqueue_flags_t flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_kernel(q, flags, range, 1, NULL, NULL, block));
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_kernel(q, flags, range, 0, events, NULL, block));
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_kernel(q, flags, range, 2, events, NULL, block));
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, flags, range, 1, events, NULL, block));
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_marker(q, 1, NULL, &marker));  // 1.13.17-27
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_marker(q, 0, NULL, &marker));
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_marker(q, 0, events, &marker));
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_marker(q, 2, events, &marker));
    release_event(events[0]);
    ASSERT(CLK_INVALID_EVENT_WAIT_LIST, enqueue_marker(q, 1, events, &marker));
}
kernel void test_wait_list_after(global uint *record) { ASSERT(1, atomic_exchange(&ran, 0)); }

kernel void test_local(global uint *record, global int *a, queue_t q) {
    uint zero = a[0], size = 16, huge = 1 << 30;
    ndrange_t range = ndrange_1D(1);
    void (^block)(local void *, local void *) = ^(local void *p, local void *r) {
        *(local int *)p = 1;
        *(local int *)r = 1;
        atomic_fetch_add(&ran, 1);
    };
    ASSERT(CLK_INVALID_ARG_SIZE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, block, size, zero));  // 1.13.17-13
    ASSERT(CLK_OUT_OF_RESOURCES, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, block, huge, size));  // 1.13.17-15
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, block, size, size));
}
kernel void test_local_after(global uint *record) { ASSERT(1, atomic_exchange(&ran, 0)); }

// Sizes whose sum is more than 2^64, and negative ones
kernel void test_large_local(global uint *record, global int *a, queue_t q) {
    ulong wide = (1UL << 63) * a[1] + 128;
    int negative = a[1] - 33;
    ndrange_t range = ndrange_1D(1);
    void (^block)(local void *, local void *) = ^(local void *p, local void *r) {
        *(local int *)p = 1;
        *(local int *)r = 1;
        atomic_fetch_add(&ran, 1);
    };
    void (^lone)(local void *) = ^(local void *p) {
        *(local int *)p = 1;
        atomic_fetch_add(&ran, 1);
    };
    kernel_enqueue_flags_t flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    ASSERT(CLK_OUT_OF_RESOURCES, enqueue_kernel(q, flags, range, block, wide, wide));
    ASSERT(CLK_OUT_OF_RESOURCES, enqueue_kernel(q, flags, range, block, 64, negative));
    ASSERT(CLK_OUT_OF_RESOURCES, enqueue_kernel(q, flags, range, lone, negative));
    ASSERT(CLK_INVALID_ARG_SIZE, enqueue_kernel(q, flags, range, block, wide, a[0]));
}
kernel void test_large_local_after(global uint *record) { ASSERT(0, atomic_exchange(&ran, 0)); }

// Group functions have local memory of their own for each work-item.
kernel void test_group_functions(global uint *record, queue_t q) {
    kernel_enqueue_flags_t flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    uint most = 0, too_much = 1 << 22;  // bytes that a block may have, by trying
    while (too_much - most > 16) {
        uint bytes = (most + too_much) / 32 * 16;
        int status = enqueue_kernel(q, flags, ndrange_1D(1), ^(local void *p) { *(local int *)p = 1; }, bytes);
        if (status == CLK_SUCCESS) most = bytes;
        else too_much = bytes;
    }
    void (^scan)(local void *) = ^(local void *p) {
        local int *ids = p;
        int i = get_local_id(0);
        ids[i] = i;
        ASSERT(i * (i + 1) / 2, work_group_scan_inclusive_add(ids[i]));
        atomic_fetch_add(&ran, 1);
    };
    ASSERT(CLK_OUT_OF_RESOURCES, enqueue_kernel(q, flags, ndrange_1D(64, 64), scan, most));
    ASSERT(CLK_OUT_OF_RESOURCES, enqueue_kernel(q, flags, ndrange_1D(64), scan, most));
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, flags, ndrange_1D(64, 64), scan, most - 4096));
    ASSERT(CLK_SUCCESS, enqueue_kernel(q, flags, ndrange_1D(1024), scan, most - 1024));
}
kernel void test_group_functions_after(global uint *record) { ASSERT(64 + 1024, atomic_exchange(&ran, 0)); }
