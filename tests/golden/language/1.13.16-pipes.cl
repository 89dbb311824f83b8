// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups
// The pipe functions (OpenCL C 2.0 6.13.16); the last two operands are a packet's size and alignment.
// CHECK: OpCapability Pipes
// CHECK: %reads = OpTypePipe
typedef struct { int a; float4 b; char c; } packet_t;

int take(pipe int p) {                                              // 1.13.16-1, 1.13.16-3: read_only by default
    int x;
    return read_pipe(p, &x);
}

// CHECK: %PipeReadOnly = OpTypePipe ReadOnly
// CHECK: %packets = OpFunction
kernel void packets(pipe int r, __write_only pipe float4 w, read_only pipe packet_t records, pipe uchar3 odd,
                    pipe ulong16 wide, global int *out) {
    int x;
    float4 v = 1.0f;
    packet_t record;
    uchar3 three;
    ulong16 sixteen;
    // CHECK: [packet] OpBitcast
    out[0] = read_pipe(r, &x);                                      // 1.13.16-10
    out[1] = write_pipe(w, &v);                                     // 1.13.16-11
    out[2] = read_pipe(records, &record);
    out[3] = read_pipe(odd, &three);
    out[4] = read_pipe(wide, &sixteen);
    local int l;
    read_pipe(r, &l);
    read_pipe(r, out + 5);
    out[6] = take(r);
    out[7] = get_pipe_num_packets(r);                               // 1.13.16-22
    out[8] = get_pipe_max_packets(w);                               // 1.13.16-23
}

kernel void reservations(pipe int r, write_only pipe int w, global int *out) {
    int x = 5;
    reserve_id_t id = reserve_read_pipe(r, 3);                      // 1.13.16-13
    if (is_valid_reserve_id(id)) {                                  // 1.13.16-15
        out[0] = read_pipe(r, id, 2, &x);                           // 1.13.16-12
        commit_read_pipe(r, id);                                    // 1.13.16-14
    }
    id = reserve_write_pipe(w, 4);
    out[1] = write_pipe(w, id, 1, &x);                              // 1.13.16-12
    commit_write_pipe(w, id);
    id = work_group_reserve_read_pipe(r, 1);                        // 1.13.16-16
    work_group_commit_read_pipe(r, id);
    id = work_group_reserve_write_pipe(w, 1);
    work_group_commit_write_pipe(w, id);
    id = sub_group_reserve_read_pipe(r, 1);                         // seed002-24
    sub_group_commit_read_pipe(r, id);                              // seed002-25
    id = sub_group_reserve_write_pipe(w, 1);
    sub_group_commit_write_pipe(w, id);
    id = CLK_NULL_RESERVE_ID;                                       // 1.13.16-9
    out[2] = is_valid_reserve_id(id);
}
