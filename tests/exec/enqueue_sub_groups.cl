// Device-side enqueue: how a block's work-groups are cut into sub-groups (cl_khr_subgroups).
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

void check(global uint *record, queue_t q, ndrange_t range) {
    void (^any)(void) = ^{ atomic_fetch_add(&ran, 1); };
    uint count = get_kernel_sub_group_count_for_ndrange(range, any);    // seed002
    uint size = get_kernel_max_sub_group_size_for_ndrange(range, any);  // seed002
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{
        ASSERT(count, get_enqueued_num_sub_groups());  // seed002-14
        ASSERT(size, min(get_max_sub_group_size(), (uint)get_enqueued_local_size(0) * (uint)get_enqueued_local_size(1)));
        ASSERT(get_enqueued_num_sub_groups(), sub_group_broadcast(count, 0));
        atomic_fetch_add(&ran, 1);
    }));
}
kernel void test_count(global uint *record, queue_t q) {
    size_t size[2] = {20, 12}, local_size[2] = {5, 3}, few[2] = {6, 5};
    check(record, q, ndrange_1D(64, 64));
    check(record, q, ndrange_1D(14, 7));
    check(record, q, ndrange_1D(100));
    check(record, q, ndrange_1D(3));
    check(record, q, ndrange_1D(12));
    check(record, q, ndrange_2D(few));
    check(record, q, ndrange_2D(size));
    check(record, q, ndrange_2D(size, local_size));
    ASSERT(1, get_kernel_sub_group_count_for_ndrange(ndrange_1D(8, 1), ^(local void *p){ *(local int *)p = 1; }));
    ASSERT(1, get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(8, 1), ^(local void *p){ *(local int *)p = 1; }));
}
kernel void test_count_after(global uint *record) { ASSERT(64 + 14 + 100 + 3 + 12 + 30 + 480, atomic_exchange(&ran, 0)); }
