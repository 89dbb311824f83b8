// Device-side enqueue with blocks that capture no pointers, which descriptors do as well (OpenCL C 2.0 6.13.17).
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0), wrong = ATOMIC_VAR_INIT(0);
global int values[32];
#define CHECK(condition) if (!(condition)) atomic_fetch_add(&wrong, 1)

typedef struct {
    uchar bytes[3];
    long wide;
} Mixed;

kernel void test_values(global uint *record, global int *a, queue_t q) {
    int n = a[5];
    Mixed m = {{1, 2, (uchar)a[3]}, -a[4]};
    float8 f = (float8)(a[6]);
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(32, 8), ^(local void *p) {
        local int *shared = p;
        shared[get_local_id(0)] = n + m.bytes[2] + (int)m.wide + (int)f.s7;  // 10
        barrier(CLK_LOCAL_MEM_FENCE);
        values[get_global_id(0)] = shared[7 - get_local_id(0)] + (int)get_global_id(0);
        atomic_fetch_add(&ran, 1);
    }, 32));
}
kernel void test_values_after(global uint *record) {
    ASSERT(32, atomic_exchange(&ran, 0));
    for (int i = 0; i < 32; i++) ASSERT(10 + i, values[i]);
}

void again(queue_t q, int depth) {
    atomic_fetch_add(&ran, 1);
    if (depth == 0) return;
    clk_event_t event;
    CHECK(enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{ atomic_fetch_add(&ran, 100); }) == 0);
    CHECK(is_valid_event(event));
    CHECK(enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
        CHECK(atomic_load(&ran) >= 101);
        atomic_fetch_add(&ran, 10000 * depth);
    }) == 0);
    release_event(event);
}
kernel void test_events(global uint *record, global int *a, queue_t q) {
    again(q, a[2]);
    ASSERT(1, atomic_load(&ran));
}
kernel void test_events_after(global uint *record) {
    ASSERT(1 + 100 + 20000, atomic_exchange(&ran, 0));
    ASSERT(0, atomic_load(&wrong));
}

typedef struct {
    uchar bytes[2000];
    int last;
} Large;

kernel void test_large(global uint *record, global int *a, queue_t q) {
    Large large;
    for (int i = 0; i < 2000; i++) large.bytes[i] = (uchar)(i * a[3]);
    large.last = a[7];
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
        int sum = 0;
        for (int i = (int)get_global_id(0); i < 2000; i += 4) sum += large.bytes[i];
        values[get_global_id(0)] = sum + large.last;
    }));
}
kernel void test_large_after(global uint *record, global int *a) {
    for (int k = 0; k < 4; k++) {
        int sum = a[7];
        for (int i = k; i < 2000; i += 4) sum += (uchar)(i * 3);
        ASSERT(sum, values[k]);
    }
}
