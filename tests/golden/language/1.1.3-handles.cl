// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// The types of queues, events, ranges and reservations (OpenCL C 2.0 6.1.3, 6.9), and pipes' access qualifiers (6.6).
queue_t file_queue;                                                             // 1.9-25: not forbidden
ndrange_t file_range;                                                           // 1.9-25: likewise
struct handles { queue_t q; clk_event_t e; ndrange_t n; reserve_id_t r; };
struct handles made(queue_t q) {
    struct handles h;
    h.q = q;
    h.e = create_user_event();
    h.n = ndrange_1D(4);
    return h;
}

// CHECK: %Queue = OpTypeQueue
// CHECK: %struct_ndrange_t = OpTypeStruct %uint %_arr_ulong_uint_3 %_arr_ulong_uint_3 %_arr_ulong_uint_3
// CHECK: %DeviceEvent = OpTypeDeviceEvent
// CHECK: %ReserveId = OpTypeReserveId
// CHECK: %struct_handles = OpTypeStruct %Queue %DeviceEvent %struct_ndrange_t %ReserveId
kernel void k(queue_t q, read_only pipe int r, __write_only pipe int w, global ulong *sizes) {  // 1.6-5
    queue_t same = q;                                                           // 1.1.3-11
    ndrange_t range = ndrange_1D(8), other = range;                             // 1.1.3-12
    clk_event_t list[2] = {create_user_event(), create_user_event()};           // 1.1.3-13
    reserve_id_t id = reserve_read_pipe(r, 1);                                  // 1.1.3-14
    kernel_enqueue_flags_t flags = CLK_ENQUEUE_FLAGS_NO_WAIT;
    clk_profiling_info info = CLK_PROFILING_COMMAND_EXEC_TIME;
    struct handles h = made(q);
    range = sizes[9] ? range : other;
    sizes[0] = sizeof(queue_t) + sizeof(id) + sizeof(clk_event_t);              // 1.9-26: 24, as in clang
    sizes[1] = sizeof(ndrange_t);                                               // 1.9-26: 80
    enqueue_kernel(same, flags, range, 2, list, &h.e, ^(local void *a, local void *b) {}, 8, 16u);  // 1.9-13
    capture_event_profiling_info(h.e, info, sizes);
}
