// Many work-items at a pipe for 100 packets.
// OPTIONS: -cl-std=CL2.0
// RUN: global=256 local=64
#include "assert.h"

// A buffer that holds 0, 1, 2, ... counts who comes: nobody must come twice.
kernel void test_write(global uint *record, write_only pipe uint p) {
    uint id = get_global_id(0);
    write_pipe(p, &id);
    uint more = id + 256;
    ASSERT(get_pipe_max_packets(p), 100);
    write_pipe(p, &more);
}
kernel void test_full(global uint *record, write_only pipe uint p) { ASSERT(100, get_pipe_num_packets(p)); }
kernel void test_read(global uint *record, read_only pipe uint p, global uint *seen) {
    uint packet = 0;
    ASSERT(1, get_pipe_num_packets(p) <= 100);
    if (read_pipe(p, &packet) == 0) ASSERT(packet, atomic_inc(&seen[packet]));
}
kernel void test_empty(global uint *record, read_only pipe uint p) { ASSERT(0, get_pipe_num_packets(p)); }

kernel void test_group_write(global uint *record, write_only pipe ulong p) {
    reserve_id_t id = work_group_reserve_write_pipe(p, 32);  // 1.13.16-16: there is room for three groups of four
    ulong packet = get_group_id(0) * 100 + get_local_id(0);
    if (is_valid_reserve_id(id)) {
        if (get_local_id(0) < 32) ASSERT(0, write_pipe(p, id, get_local_id(0), &packet));
        work_group_commit_write_pipe(p, id);
    }
    ASSERT(32 * 3, 96);
}
kernel void test_group_full(global uint *record, write_only pipe ulong p) { ASSERT(96, get_pipe_num_packets(p)); }
kernel void test_group_read(global uint *record, read_only pipe ulong p, global uint *seen) {
    reserve_id_t id = work_group_reserve_read_pipe(p, 32);
    ASSERT(1, get_pipe_num_packets(p) <= 96);
    if (!is_valid_reserve_id(id)) return;
    ulong first, packet;
    ASSERT(0, read_pipe(p, id, 0, &first));
    ASSERT(0, read_pipe(p, id, get_local_id(0) % 32, &packet));
    ASSERT_LONG(first + get_local_id(0) % 32, packet);  // 1.13.16-18: one after another
    if (get_local_id(0) == 0) ASSERT(first, atomic_inc(&seen[first]));
    work_group_commit_read_pipe(p, id);
}
kernel void test_group_empty(global uint *record, read_only pipe ulong p) { ASSERT(0, get_pipe_num_packets(p)); }
