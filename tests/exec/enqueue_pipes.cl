// Device-side enqueue: children that write to pipes and read from them (OpenCL C 2.0 6.13.16: "enqueued child kernels").
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

kernel void test_write(global uint *record, write_only pipe int p, queue_t q) {
    clk_event_t written;
    ASSERT(100, get_pipe_max_packets(p));
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(50), 0, NULL, &written, ^{
        int packet = (int)get_global_id(0);
        ASSERT(0, write_pipe(p, &packet));
    }));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &written, NULL, ^{
        ASSERT(50, get_pipe_num_packets(p));
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_read(global uint *record, read_only pipe int p, queue_t q) {
    ASSERT(1, atomic_exchange(&ran, 0));
    ASSERT(50, get_pipe_num_packets(p));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(50), ^{
        int packet;
        ASSERT(0, read_pipe(p, &packet));
        atomic_fetch_add(&ran, packet);
    });
}
kernel void test_read_after(global uint *record) { ASSERT(49 * 25, atomic_exchange(&ran, 0)); }
