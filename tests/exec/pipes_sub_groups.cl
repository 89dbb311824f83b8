// Reservations of sub-groups, as many as there are: four packets each.
// OPTIONS: -cl-std=CL2.0
// RUN: global=64 local=32
#include "assert.h"
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void test_write(global uint *record, write_only pipe uint p) {
    reserve_id_t id = sub_group_reserve_write_pipe(p, 4);  // seed002-24
    ASSERT(1, is_valid_reserve_id(id));
    uint first = 1000 * (get_group_id(0) * get_num_sub_groups() + get_sub_group_id());
    for (uint i = get_sub_group_local_id(); i < 4; i += get_sub_group_size()) {
        uint packet = first + i;
        ASSERT(0, write_pipe(p, id, i, &packet));
    }
    sub_group_commit_write_pipe(p, id);  // seed002-25
}
kernel void test_read(global uint *record, read_only pipe uint p) {
    reserve_id_t id = sub_group_reserve_read_pipe(p, 4);
    ASSERT(1, is_valid_reserve_id(id));
    uint first, packet;
    ASSERT(0, read_pipe(p, id, 0, &first));
    ASSERT(0, first % 1000);
    ASSERT(0, read_pipe(p, id, get_sub_group_local_id() % 4, &packet));
    ASSERT(first + get_sub_group_local_id() % 4, packet);
    sub_group_commit_read_pipe(p, id);
}
kernel void test_empty(global uint *record, read_only pipe uint p) { ASSERT(0, get_pipe_num_packets(p)); }
