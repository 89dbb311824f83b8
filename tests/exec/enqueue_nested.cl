// Device-side enqueue: blocks that enqueue blocks (OpenCL C 2.0 6.13.17).
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0), deepest = ATOMIC_VAR_INIT(0);

// 1.13.17-36: a kernel enqueues itself by way of another until the work is done
kernel void evaluate(global uint *record, queue_t q, global int *left);
kernel void consume(global uint *record, queue_t q, global int *left) {
    atomic_dec(left);
    atomic_fetch_add(&ran, 1);
    if (get_global_id(0) == 0)
        ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ evaluate(record, q, left); }));
}
kernel void evaluate(global uint *record, queue_t q, global int *left) {
    if (*left <= 0) return;
    void (^block)(void) = ^{ consume(record, q, left); };
    size_t size = min(*left, 4);
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(size, 1), block));
}
kernel void test_chain(global uint *record, global int *a, queue_t q) {
    a[0] = 101;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ evaluate(record, q, a); });
}
kernel void test_chain_after(global uint *record) { ASSERT(101, atomic_exchange(&ran, 0)); }

// Nesting of literals (1.12.3-7), five deep, each with captures of all above
kernel void test_literals(global uint *record, global int *a, queue_t q) {
    int one = a[1];
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
        int two = one + a[1];
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
            int three = one + two;
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
                int four = three + one;
                enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
                    int five = two + three;
                    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
                        ASSERT(1, one);
                        ASSERT(2, two);
                        ASSERT(3, three);
                        ASSERT(4, four);
                        ASSERT(5, five);
                        atomic_fetch_add(&ran, 1);
                    });
                });
            });
        });
    });
}
kernel void test_literals_after(global uint *record) { ASSERT(32, atomic_exchange(&ran, 0)); }

// 64 deep: each child tells how deep it is, and its parent is complete only when it is
kernel void descend(global uint *record, queue_t q, int depth, int end) {
    atomic_fetch_max(&deepest, depth);
    clk_event_t below;
    if (depth == end) return;
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &below,
                             ^{ descend(record, q, depth + 1, end); }));
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &below, NULL, ^{
        ASSERT(end, atomic_load(&deepest));  // 1.13.17-24: the child's children too
        atomic_fetch_add(&ran, 1);
    }));
    release_event(below);
}
kernel void test_deep(global uint *record, queue_t q) { descend(record, q, 0, 64); }
kernel void test_deep_after(global uint *record) {
    ASSERT(64, atomic_load(&deepest));
    ASSERT(64, atomic_exchange(&ran, 0));
}

// A child in several work-groups with a barrier, and its writes seen by the next (1.13.17-21)
kernel void test_memory(global uint *record, global int *a, queue_t q) {
    clk_event_t written;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, 16), 0, NULL, &written, ^{
        local int sum[16];
        sum[get_local_id(0)] = (int)get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        a[get_global_id(0)] = sum[15 - get_local_id(0)];
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), 1, &written, NULL, ^{
        int i = (int)get_global_id(0);
        ASSERT(i / 16 * 16 + 15 - i % 16, a[i]);
        atomic_fetch_add(&ran, 1);
    });
    release_event(written);
}
kernel void test_memory_after(global uint *record) { ASSERT(64, atomic_exchange(&ran, 0)); }
