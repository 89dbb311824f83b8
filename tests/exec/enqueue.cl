// Device-side enqueue: the forms of enqueue_kernel, captures, queues (OpenCL C 2.0 6.12, 6.13.17). A kernel's children have run
// when the next kernel begins; program-scope variables say what they did.
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);
global int seen[64];

kernel void test_plain(global uint *record, global int *a, queue_t q) {
    int n = a[5], failed = 0;
    // 1.13.17-3: the block and its captures, taken when the literal is evaluated (1.12.3-5 1.13.17-16)
    failed |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), ^{
        size_t i = get_global_id(0);
        ASSERT(5, n);
        ASSERT(i, a[i]);
        seen[i] = n + (int)i;
        atomic_fetch_add(&ran, 1);
    });
    n = 99;
    ASSERT(CLK_SUCCESS, failed);  // 1.13.17-8
    ASSERT(0, atomic_load(&ran));
}
kernel void test_plain_after(global uint *record) {
    ASSERT(8, atomic_exchange(&ran, 0));  // 1.13.17-24: complete when its descendants are
    for (int i = 0; i < 8; i++) ASSERT(5 + i, seen[i]);
}

// 1.13.17-20 1.13.17-21 1.13.17-22 1.13.17-23: the flags; memory of the parent is seen
kernel void test_flags(global uint *record, global int *a, queue_t q) {
    a[10] = 1000;
    kernel_enqueue_flags_t flags[3] = {CLK_ENQUEUE_FLAGS_NO_WAIT, CLK_ENQUEUE_FLAGS_WAIT_KERNEL,
                                       CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP};
    for (int i = 0; i < 3; i++)
        ASSERT(0, enqueue_kernel(q, flags[i], ndrange_1D(1), ^{
            ASSERT(1000, a[10]);
            atomic_fetch_add(&ran, 1);
        }));
}
kernel void test_flags_after(global uint *record) { ASSERT(3, atomic_exchange(&ran, 0)); }

typedef struct {
    char c;
    long l;
    int2 pair;
} Mixed;
kernel void test_captures(global uint *record, global int *a, constant int *k, queue_t q, Mixed by_value) {
    char c = (char)a[3];
    short s = (short)a[300];
    long16 wide = (long16)(a[7]);
    wide.sf = -1;
    float3 f = (float3)(1.5f, 2.5f, 3.5f);
    Mixed m = {(char)a[1], a[2], (int2)(a[3], a[4])};
    global int *inside = a + 100;
    bool yes = a[1] == 1;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        ASSERT(3, c);
        ASSERT(300, s);
        ASSERT_LONG(7, wide.s0);
        ASSERT_LONG(-1, wide.sf);
        ASSERT_BITS(0x40600000, f.z);
        ASSERT(1, m.c);
        ASSERT_LONG(2, m.l);
        ASSERT(4, m.pair.y);
        ASSERT(100, inside[0]);
        ASSERT(9, k[9]);
        ASSERT(1, yes);
        ASSERT(1, by_value.c);
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_captures_after(global uint *record) { ASSERT(1, atomic_load(&ran) >= 1); }

// 1.12.1-1 1.12.3-8 1.12.4 1.12.5-17: a block variable, called, queried and enqueued
kernel void work(global uint *record, global int *a, int by) {
    atomic_fetch_add(&ran, by);
    ASSERT(1, a[1]);
}
kernel void test_block_variable(global uint *record, global int *a, queue_t q) {
    atomic_store(&ran, 0);
    void (^block)(void) = ^{ work(record, a, 10); };  // 1.13.17-16: calls a kernel
    block();
    ASSERT(10, atomic_load(&ran));
    ASSERT(1, get_kernel_work_group_size(block) >= 1);  // 1.13.17-25
    ASSERT(1, get_kernel_preferred_work_group_size_multiple(block) >= 1);  // 1.13.17-26
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(32), block);
}
kernel void test_block_variable_after(global uint *record) { ASSERT(10 + 32 * 10, atomic_exchange(&ran, 0)); }

// Blocks without captures, at program scope too (1.12.3-9)
void (^const global_block)(void) = ^{ atomic_fetch_add(&ran, 7); };
kernel void test_no_captures(global uint *record, queue_t q) {
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), global_block));
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_fetch_add(&ran, 100); }));
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(0), ^{ atomic_fetch_add(&ran, 1000); }));
}
kernel void test_no_captures_after(global uint *record) { ASSERT(114, atomic_exchange(&ran, 0)); }

// A function that enqueues, from a kernel and from a block; the queue is captured
void spread(queue_t q, int levels) {
    atomic_fetch_add(&ran, 1);
    if (levels == 0) return;
    for (int i = 0; i < 2; i++)
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_fetch_add(&ran, 1000); });
}
kernel void test_function(global uint *record, queue_t q) {
    spread(q, 1);
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{ spread(q, 2); }));
}
kernel void test_function_after(global uint *record) { ASSERT(4 + 8 * 1000, atomic_exchange(&ran, 0)); }
