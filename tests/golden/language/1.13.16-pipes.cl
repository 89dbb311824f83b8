// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups
// The pipe functions (OpenCL C 2.0 6.13.16); the last two operands are a packet's size and alignment.
typedef struct { int a; float4 b; char c; } packet_t;

int take(pipe int p) {                                              // 1.13.16-1, 1.13.16-3: read_only by default
    int x;
    return read_pipe(p, &x);
}

// CHECK: OpCapability Pipes
// CHECK: %PipeReadOnly = OpTypePipe ReadOnly
// CHECK: %PipeWriteOnly = OpTypePipe WriteOnly
// CHECK: %packets = OpFunction %void
// CHECK: %r = OpFunctionParameter %PipeReadOnly
// CHECK: %w = OpFunctionParameter %PipeWriteOnly
kernel void packets(pipe int r, __write_only pipe float4 w, read_only pipe packet_t records, pipe uchar3 odd,
                    pipe ulong16 wide, global int *out) {
    int x;
    float4 v = 1.0f;
    packet_t record;
    uchar3 three;
    ulong16 sixteen;
    // CHECK: = OpPtrCastToGeneric
    // CHECK: = OpReadPipe %uint %r
    // CHECK: %uint_4 %uint_4
    out[0] = read_pipe(r, &x);                                      // 1.13.16-10
    // CHECK: = OpWritePipe %uint %w
    // CHECK: %uint_16 %uint_16
    out[1] = write_pipe(w, &v);                                     // 1.13.16-11
    // CHECK: = OpReadPipe %uint %records
    // CHECK: %uint_48 %uint_16
    out[2] = read_pipe(records, &record);
    // CHECK: = OpReadPipe %uint %odd
    // CHECK: %uint_4 %uint_4
    out[3] = read_pipe(odd, &three);
    // CHECK: = OpReadPipe %uint %wide
    // CHECK: %uint_128 %uint_128
    out[4] = read_pipe(wide, &sixteen);
    local int l;
    read_pipe(r, &l);
    read_pipe(r, out + 5);
    out[6] = take(r);
    // CHECK: = OpGetNumPipePackets %uint %r %uint_4 %uint_4
    out[7] = get_pipe_num_packets(r);                               // 1.13.16-22
    // CHECK: = OpGetMaxPipePackets %uint %w %uint_16 %uint_16
    out[8] = get_pipe_max_packets(w);                               // 1.13.16-23
}

kernel void reservations(pipe int r, write_only pipe int w, global int *out) {
    int x = 5;
    // CHECK: = OpReserveReadPipePackets %ReserveId %r_0 %uint_3 %uint_4 %uint_4
    reserve_id_t id = reserve_read_pipe(r, 3);                      // 1.1.3-14 1.13.16-13
    // CHECK: = OpIsValidReserveId %bool
    if (is_valid_reserve_id(id)) {                                  // 1.13.16-15
        // CHECK: = OpReservedReadPipe %uint %r_0
        // CHECK: %uint_2
        // CHECK: %uint_4 %uint_4
        out[0] = read_pipe(r, id, 2, &x);                           // 1.13.16-12
        // CHECK: OpCommitReadPipe %r_0
        // CHECK: %uint_4 %uint_4
        commit_read_pipe(r, id);                                    // 1.13.16-14
    }
    // CHECK: = OpReserveWritePipePackets %ReserveId %w_0 %uint_4 %uint_4 %uint_4
    id = reserve_write_pipe(w, 4);
    // CHECK: = OpReservedWritePipe %uint %w_0
    // CHECK: %uint_1
    // CHECK: %uint_4 %uint_4
    out[1] = write_pipe(w, id, 1, &x);                              // 1.13.16-12
    // CHECK: OpCommitWritePipe %w_0
    commit_write_pipe(w, id);
    // CHECK: = OpGroupReserveReadPipePackets %ReserveId %uint_2 %r_0 %uint_1 %uint_4 %uint_4
    id = work_group_reserve_read_pipe(r, 1);                        // 1.13.16-16
    // CHECK: OpGroupCommitReadPipe %uint_2 %r_0
    work_group_commit_read_pipe(r, id);
    // CHECK: = OpGroupReserveWritePipePackets %ReserveId %uint_2 %w_0 %uint_1 %uint_4 %uint_4
    id = work_group_reserve_write_pipe(w, 1);
    // CHECK: OpGroupCommitWritePipe %uint_2 %w_0
    work_group_commit_write_pipe(w, id);
    // CHECK: = OpGroupReserveReadPipePackets %ReserveId %uint_3 %r_0 %uint_1 %uint_4 %uint_4
    id = sub_group_reserve_read_pipe(r, 1);                         // seed002-24
    // CHECK: OpGroupCommitReadPipe %uint_3 %r_0
    sub_group_commit_read_pipe(r, id);                              // seed002-25
    // CHECK: = OpGroupReserveWritePipePackets %ReserveId %uint_3 %w_0 %uint_1 %uint_4 %uint_4
    id = sub_group_reserve_write_pipe(w, 1);
    // CHECK: OpGroupCommitWritePipe %uint_3 %w_0
    sub_group_commit_write_pipe(w, id);
    id = CLK_NULL_RESERVE_ID;                                       // 1.13.16-9
    // CHECK: = OpIsValidReserveId %bool
    out[2] = is_valid_reserve_id(id);
}
