// Pipes of one work-item (OpenCL C 2.0 6.13.16). Kernels run in this order; the pipes keep their packets, 100 at most.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

kernel void test_fill(global uint *record, write_only pipe int p, global int *in) {
    ASSERT(100, get_pipe_max_packets(p));  // 1.13.16-23
    ASSERT(0, get_pipe_num_packets(p));
    for (int i = 0; i < 100; i++) ASSERT(0, write_pipe(p, &in[i]));  // 1.13.16-11
    ASSERT(100, get_pipe_num_packets(p));                            // 1.13.16-22
    ASSERT(1, write_pipe(p, &in[7]) < 0);
}
kernel void test_empty(global uint *record, read_only pipe int p) {
    int packet = -1;
    for (int i = 0; i < 100; i++) {
        ASSERT(0, read_pipe(p, &packet));  // 1.13.16-10
        ASSERT(i, packet);
    }
    ASSERT(0, get_pipe_num_packets(p));
    ASSERT(1, read_pipe(p, &packet) < 0);
    ASSERT(99, packet);
}

kernel void test_reserve_write(global uint *record, write_only pipe int p, global int *in) {
    reserve_id_t id = reserve_write_pipe(p, 70);  // 1.13.16-13: past the ring's end later
    ASSERT(1, is_valid_reserve_id(id));           // 1.13.16-15
    ASSERT(0, is_valid_reserve_id(reserve_write_pipe(p, 31)));
    for (int i = 69; i >= 0; i--) ASSERT(0, write_pipe(p, id, i, &in[3]));
    for (int i = 69; i >= 0; i--) ASSERT(0, write_pipe(p, id, i, &in[i]));  // 1.13.16-12 1.13.16-17
    commit_write_pipe(p, id);                                              // 1.13.16-14
}
kernel void test_reserve_read(global uint *record, read_only pipe int p) {
    ASSERT(0, is_valid_reserve_id(reserve_read_pipe(p, 71)));
    reserve_id_t id = reserve_read_pipe(p, 70);
    ASSERT(1, is_valid_reserve_id(id));
    int packet;
    for (int i = 69; i >= 0; i--) {
        ASSERT(0, read_pipe(p, id, i, &packet));
        ASSERT(i, packet);
    }
    ASSERT(0, read_pipe(p, id, 5, &packet));
    ASSERT(5, packet);
    commit_read_pipe(p, id);
    ASSERT(0, is_valid_reserve_id(reserve_read_pipe(p, 1)));
    ASSERT(0, is_valid_reserve_id(CLK_NULL_RESERVE_ID));  // 1.13.16-9
    ASSERT(0, is_valid_reserve_id(reserve_read_pipe(p, 0)));
}

// Slots 70 to 99, then 0 to 59.
kernel void test_around_write(global uint *record, write_only pipe int p, global int *in) {
    reserve_id_t first = reserve_write_pipe(p, 60), second = reserve_write_pipe(p, 30);
    for (int i = 0; i < 30; i++) ASSERT(0, write_pipe(p, second, i, &in[60 + i]));
    commit_write_pipe(p, second);  // 1.13.16-18: nobody sees it before the first
    ASSERT(90, get_pipe_num_packets(p));
    for (int i = 0; i < 60; i++) ASSERT(0, write_pipe(p, first, i, &in[i]));
    commit_write_pipe(p, first);
}
kernel void test_around_read(global uint *record, read_only pipe int p) {
    reserve_id_t first = reserve_read_pipe(p, 50);
    int packet;
    for (int i = 50; i < 90; i++) {
        ASSERT(0, read_pipe(p, &packet));
        ASSERT(i, packet);
    }
    for (int i = 0; i < 50; i++) {
        ASSERT(0, read_pipe(p, first, i, &packet));
        ASSERT(i, packet);
    }
    commit_read_pipe(p, first);
}

kernel void test_uncommitted(global uint *record, write_only pipe long w, read_only pipe long r, global int *in) {
    long five = in[5], packet = 0;
    reserve_id_t id = reserve_write_pipe(w, 1);
    ASSERT(0, write_pipe(w, &five));
    ASSERT(1, read_pipe(r, &packet) < 0);  // behind the reservation
    five = 6;
    ASSERT(0, write_pipe(w, id, 0, &five));
    commit_write_pipe(w, id);
    ASSERT(0, read_pipe(r, &packet));
    ASSERT_LONG(6, packet);
    ASSERT(0, read_pipe(r, &packet));
    ASSERT_LONG(5, packet);
}

typedef struct {
    char c;
    int i;
    short s[5];
} record_t;  // 20 bytes

kernel void test_types_write(global uint *record, write_only pipe char c, write_only pipe short3 s, write_only pipe float4 f,
                             write_only pipe record_t r, global int *in) {
    local float4 fi;
    for (int i = 0; i < 5; i++) {
        char ci = in[i] - 2;
        short3 si = (short3)(in[i], -in[i], 1000 * in[i]);
        fi = (float4)(in[i], 0.5f, -1, 2);
        record_t ri = {(char)-in[i], 1 << in[i], {1, 2, 3, 4, (short)in[i]}};
        ASSERT(0, write_pipe(c, &ci));  // 1.13.16-2
        ASSERT(0, write_pipe(s, &si));
        ASSERT(0, write_pipe(f, &fi));
        ASSERT(0, write_pipe(r, &ri));
    }
}
void read_chars(global uint *record, read_only pipe char c, int i) {  // 1.13.16-6
    char ci;
    ASSERT(0, read_pipe(c, &ci));
    ASSERT(i - 2, ci);
}
kernel void test_types_read(global uint *record, read_only pipe char c, read_only pipe short3 s, read_only pipe float4 f,
                            read_only pipe record_t r) {
    for (int i = 0; i < 5; i++) {
        read_chars(record, c, i);
        short3 si;
        float4 fi;
        record_t ri;
        ASSERT(0, read_pipe(s, &si));
        ASSERT(0, read_pipe(f, &fi));
        ASSERT(0, read_pipe(r, &ri));
        ASSERT(i, si.x);
        ASSERT(-i, si.y);
        ASSERT(1000 * i, si.z);
        ASSERT_BITS(as_uint((float)i), fi.x);
        ASSERT_BITS(as_uint(2.0f), fi.w);
        ASSERT(-i, ri.c);
        ASSERT(1 << i, ri.i);
        ASSERT(i, ri.s[4]);
    }
}

kernel void test_local_reservation(global uint *record, write_only pipe int p, global int *in) {
    local reserve_id_t kept;  // 1.9-24, 1.9-25: of the handles event_t alone may not be local
    kept = work_group_reserve_write_pipe(p, 1);
    ASSERT(1, is_valid_reserve_id(kept));
    ASSERT(0, write_pipe(p, kept, 0, &in[5]));
    work_group_commit_write_pipe(p, kept);
}
