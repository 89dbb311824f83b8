// Device-side enqueue: blocks with arguments in local memory (OpenCL C 2.0 6.13.17, "Arguments that are a pointer type to local
// address space").
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

// 1.13.17-5 1.13.17-18: one size, known when it is compiled
kernel void test_one(global uint *record, global int *a, queue_t q) {
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, 16), ^(local void *p) {
        local int *reversed = p;
        int i = (int)get_local_id(0);
        reversed[i] = a[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        ASSERT(get_group_id(0) * 16 + 15 - i, reversed[15 - i]);
        atomic_fetch_add(&ran, 1);
    }, 16 * sizeof(int)));
}
kernel void test_one_after(global uint *record) { ASSERT(64, atomic_exchange(&ran, 0)); }

// 1.13.17-6: several, with an event before and after; sizes that only the parent knows; other types; a local variable besides
kernel void test_three(global uint *record, global int *a, queue_t q) {
    clk_event_t first, second;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &first, ^{ a[0] = 5; });
    uint count = a[8];
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(count, count), 1, &first, &second,
        ^(local void *p, local void *p2, local void *p3) {
            local char *bytes = p;
            local float4 *vectors = p2;
            local short *shorts = p3;
            local int sum;
            size_t i = get_local_id(0);
            if (i == 0) sum = 0;
            bytes[i] = (char)i;
            vectors[i] = (float4)(i);
            shorts[i] = (short)(i * 100);
            barrier(CLK_LOCAL_MEM_FENCE);
            atomic_add(&sum, bytes[7 - i] + (int)vectors[7 - i].w + shorts[7 - i]);
            barrier(CLK_LOCAL_MEM_FENCE);
            ASSERT(28 * 102, sum);
            ASSERT(5, a[0]);
            atomic_fetch_add(&ran, 1);
        }, count, count * (uint)sizeof(float4), count * 2));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &second, NULL, ^{ ASSERT(8, atomic_load(&ran)); });
    release_event(first);
    release_event(second);
}
kernel void test_three_after(global uint *record) { ASSERT(8, atomic_exchange(&ran, 0)); }

// Kernels that take local memory, called by blocks (1.13.17-16)
kernel void sum(global uint *record, local int *scratch, int expected) {
    scratch[get_local_id(0)] = (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = 0;
    for (size_t i = 0; i < get_local_size(0); i++) all += scratch[i];
    ASSERT(expected, all);
    atomic_fetch_add(&ran, 1);
}
kernel void test_sizes(global uint *record, queue_t q) {
    for (uint n = 1; n <= 20; n++)
        ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n, n),
                                 ^(local void *p) { sum(record, (local int *)p, (int)(n * (n - 1) / 2)); }, n * 4));
}
kernel void test_sizes_after(global uint *record) { ASSERT(210, atomic_exchange(&ran, 0)); }
