// Device-side enqueue: NDRanges of one to three dimensions with offsets and local sizes, and what a block may ask for
// (OpenCL C 2.0 6.13.17).
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

// 1.13.17-35, in the order of the specification
kernel void test_1D(global uint *record, global int *a, queue_t q) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10), ^{
        ASSERT(10, get_global_size(0));
        ASSERT(0, get_global_offset(0));
        ASSERT(1, get_work_dim());
        atomic_fetch_add(&ran, 1);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 5), ^{
        ASSERT(10, get_global_size(0));
        ASSERT(5, get_local_size(0));
        ASSERT(2, get_num_groups(0));
        atomic_fetch_add(&ran, 1);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1000, 10, 5), ^{
        ASSERT(1000, get_global_offset(0));
        ASSERT(1, get_global_id(0) >= 1000 && get_global_id(0) < 1010);
        ASSERT(get_global_id(0) - 1000, get_group_id(0) * 5 + get_local_id(0));
        atomic_fetch_add(&ran, 1);
    });
    // Local sizes need not divide (1.13.1-5)
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(13, 5), ^{
        ASSERT(get_group_id(0) == 2 ? 3 : 5, get_local_size(0));
        ASSERT(5, get_enqueued_local_size(0));
        ASSERT(3, get_num_groups(0));
        atomic_fetch_add(&ran, 1);
    });
    size_t size = a[7];
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(0, size, 1), ^{
        ASSERT(7, get_num_groups(0));
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_1D_after(global uint *record) { ASSERT(50, atomic_exchange(&ran, 0)); }

kernel void test_2D(global uint *record, global int *a, queue_t q) {
    size_t offset[2] = {a[100], 200}, size[2] = {8, a[6]}, local_size[2] = {4, 3};
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(size), ^{
        ASSERT(8, get_global_size(0));
        ASSERT(6, get_global_size(1));
        ASSERT(1, get_global_size(2));
        ASSERT(2, get_work_dim());
        atomic_fetch_add(&ran, 1);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(size, local_size), ^{
        ASSERT(4, get_local_size(0));
        ASSERT(3, get_local_size(1));
        atomic_fetch_add(&ran, 1);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(offset, size, local_size), ^{
        ASSERT(100, get_global_offset(0));
        ASSERT(200, get_global_offset(1));
        ASSERT(get_global_id(1) - 200, get_group_id(1) * 3 + get_local_id(1));
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_2D_after(global uint *record) { ASSERT(3 * 48, atomic_exchange(&ran, 0)); }

kernel void test_3D(global uint *record, global int *a, queue_t q) {
    const size_t offset[3] = {1, 2, 3}, size[3] = {4, 2, 6}, local_size[3] = {2, 1, 3};
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(size), ^{
        ASSERT(48, get_global_size(0) * get_global_size(1) * get_global_size(2));
        ASSERT(3, get_work_dim());
        atomic_fetch_add(&ran, 1);
    });
    ndrange_t range = ndrange_3D(size, local_size);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{
        ASSERT(6, get_local_size(0) * get_local_size(1) * get_local_size(2));
        atomic_fetch_add(&ran, 1);
    });
    range = ndrange_3D(offset, size, local_size);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{
        ASSERT(3, get_global_offset(2));
        ASSERT(get_global_linear_id(), ((get_global_id(2) - 3) * 2 + get_global_id(1) - 2) * 4 + get_global_id(0) - 1);
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_3D_after(global uint *record) { ASSERT(3 * 48, atomic_exchange(&ran, 0)); }

// 1.13.17-25 1.13.17-26
kernel void test_queries(global uint *record, queue_t q) {
    void (^block)(void) = ^{ atomic_fetch_add(&ran, 1); };
    void (^with_local)(local void *) = ^(local void *p) { ((local int *)p)[0] = 1; };
    uint size = get_kernel_work_group_size(block);
    ASSERT(1, size >= 128);
    ASSERT(size, get_kernel_work_group_size(with_local));
    ASSERT(1, get_kernel_preferred_work_group_size_multiple(block) >= 1);
    ASSERT(1, get_kernel_preferred_work_group_size_multiple(with_local) >= 1);
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(size, size), block));
    ASSERT(CLK_ENQUEUE_FAILURE, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(size + 1, size + 1), block));
    atomic_fetch_sub(&ran, size);
}
kernel void test_queries_after(global uint *record) { ASSERT(0, atomic_exchange(&ran, 0)); }
