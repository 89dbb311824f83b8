// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups
// Device-side enqueue (OpenCL C 2.0 6.13.17).
// 1.13.17-1: every block that is enqueued becomes a kernel of the same program.
// CHECK: OpCapability DeviceEnqueue
// CHECK: OpEntryPoint Kernel %captures "captures"
// CHECK: OpEntryPoint Kernel %__forms_block_invoke_kernel "__forms_block_invoke_kernel"
// CHECK: OpEntryPoint Kernel %__forms_block_invoke_2_kernel "__forms_block_invoke_2_kernel"
// CHECK: %Queue = OpTypeQueue
// CHECK: %DeviceEvent = OpTypeDeviceEvent
// CHECK: %forms = OpFunction %void
queue_t file_queue;
struct handles { queue_t q; clk_event_t e; ndrange_t n; };          // 1.1.3-11, 1.1.3-12, 1.1.3-13

kernel void forms(global int *out, int n, queue_t q) {
    int m = 3;
    ndrange_t nd = ndrange_1D(8);
    clk_event_t wait, ret, list[2];
    // CHECK: = OpEnqueueKernel %uint
    // CHECK: %uint_0
    // CHECK: %__forms_block_invoke_kernel
    // CHECK: %uint_28 %uint_8
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, nd, ^{ out[0] = m; });                             // 1.13.17-3
    // CHECK: = OpPtrCastToGeneric %_ptr_Generic_DeviceEvent %wait
    // CHECK: = OpPtrCastToGeneric %_ptr_Generic_DeviceEvent %ret
    // CHECK: = OpEnqueueKernel %uint
    // CHECK: %uint_1
    // CHECK: %__forms_block_invoke_2_kernel
    // CHECK: %uint_28 %uint_8
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, nd, 1, &wait, &ret, ^{ out[1] = m; });         // 1.13.17-4
    // CHECK: = OpEnqueueKernel %uint
    // CHECK: %uint_2
    // CHECK: %__forms_block_invoke_3_kernel
    // CHECK: %uint_20 %uint_8
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, nd,
                   ^(local void *a, local void *b) { ((local int *)a)[0] = m; }, 16, n);            // 1.13.17-5
    // CHECK: = OpEnqueueKernel %uint
    // CHECK: %uint_2
    // CHECK: %__forms_block_invoke_4_kernel
    // CHECK: %uint_16 %uint_8
    enqueue_kernel(q, 0, nd, 2, list, &ret, ^(local void *a) { ((local int *)a)[0] = 4; }, 16L);    // 1.13.17-6
    // CHECK: = OpGetDefaultQueue %Queue
    // CHECK: = OpEnqueueKernel %uint
    // CHECK: %__forms_block_invoke_5_kernel
    // CHECK: %uint_24 %uint_8
    // CHECK: = OpFunctionCall %void %__forms_block_invoke_5
    void (^b)(void) = ^{ out[3] = 1; };
    if (enqueue_kernel(get_default_queue(), 0, nd, 0, NULL, NULL, b) != CLK_SUCCESS) out[4] = 1;
    b();
}

kernel void queries(global int *out) {
    ndrange_t nd = ndrange_1D(8);
    void (^b)(void) = ^{ out[3] = 1; };
    void (^c)(local void *) = ^(local void *p) { out[3] = 1; };
    // CHECK: = OpGetKernelWorkGroupSize %uint %__queries_block_invoke_kernel
    out[0] = get_kernel_work_group_size(b);                                     // 1.13.17-25
    // CHECK: = OpGetKernelWorkGroupSize %uint %__queries_block_invoke_2_kernel
    out[1] = get_kernel_work_group_size(c);
    // CHECK: = OpGetKernelPreferredWorkGroupSizeMultiple %uint %__queries_block_invoke_kernel
    out[2] = get_kernel_preferred_work_group_size_multiple(b);                  // 1.13.17-26
    // CHECK: = OpGetKernelNDrangeSubGroupCount %uint
    // CHECK: %__queries_block_invoke_kernel
    out[3] = get_kernel_sub_group_count_for_ndrange(nd, b);                     // seed002-26
    // CHECK: = OpGetKernelNDrangeMaxSubGroupSize %uint
    // CHECK: %__queries_block_invoke_2_kernel
    out[4] = get_kernel_max_sub_group_size_for_ndrange(nd, c);                  // seed002-27
}

kernel void events(global int *out, global ulong *times, queue_t q) {
    // CHECK: = OpCreateUserEvent %DeviceEvent
    clk_event_t e = create_user_event(), ret;                                   // 1.13.17-29
    // CHECK: OpRetainEvent
    retain_event(e);                                                            // 1.13.17-28
    // CHECK: = OpIsValidEvent %bool
    out[0] = is_valid_event(e);                                                 // 1.13.17-31
    // CHECK: OpSetUserEventStatus
    // CHECK: %uint_0
    set_user_event_status(e, CL_COMPLETE);                                      // 1.13.17-30
    // CHECK: OpCaptureEventProfilingInfo
    // CHECK: %uint_1
    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);    // 1.13.17-32
    // CHECK: = OpEnqueueMarker %uint
    // CHECK: %uint_1
    out[1] = enqueue_marker(q, 1, &e, &ret);                                    // 1.13.17-27
    // CHECK: = OpGetDefaultQueue %Queue
    // CHECK: = OpEnqueueMarker %uint
    out[2] = enqueue_marker(get_default_queue(), 1, &e, 0);                     // 1.13.17-34
    // CHECK: OpReleaseEvent
    release_event(e);
    e = CLK_NULL_EVENT;                                                         // 1.13.17-2
    // CHECK: = OpCompositeExtract %Queue
    queue_t none = CLK_NULL_QUEUE;                                              // 1.13.17-2
    // CHECK: = OpIEqual %bool
    out[3] = e == ret;
    // CHECK: = OpINotEqual %bool
    out[4] = q != CLK_NULL_QUEUE;
    out[5] = none == q;
}

kernel void ranges(queue_t q) {                                                 // 1.13.17-35
    size_t o2[2] = {1, 2}, g2[2] = {3, 4}, l2[2] = {5, 6}, g3[3] = {7, 8, 9};
    const size_t l3[3] = {1, 1, 1};
    // CHECK: = OpBuildNDRange %struct_ndrange_t %ulong_8 %ulong_0 %ulong_0
    ndrange_t nd = ndrange_1D(8);
    // CHECK: = OpBuildNDRange %struct_ndrange_t %ulong_8 %ulong_4 %ulong_0
    nd = ndrange_1D(8, 4);
    // CHECK: = OpBuildNDRange %struct_ndrange_t %ulong_8 %ulong_4 %ulong_1
    nd = ndrange_1D(1, 8, 4);
    // CHECK: = OpLoad %_arr_ulong_ulong_2
    // CHECK: = OpBuildNDRange %struct_ndrange_t
    nd = ndrange_2D(g2);
    nd = ndrange_2D(g2, l2);
    nd = ndrange_2D(o2, g2, l2);
    nd = ndrange_3D(g3);
    nd = ndrange_3D(g3, l3);
    // CHECK: = OpLoad %_arr_ulong_ulong_3
    // CHECK: = OpLoad %_arr_ulong_ulong_3
    // CHECK: = OpLoad %_arr_ulong_ulong_3
    // CHECK: = OpBuildNDRange %struct_ndrange_t
    nd = ndrange_3D(g3, g3, l3);
    enqueue_kernel(q, 0, nd, ^{});
}

// 1.13.17-36: kernels that enqueue each other through blocks are no recursion.
kernel void chain_b(global int *work, queue_t q);
kernel void chain_a(global int *work, queue_t q) {
    if (work[0]-- > 0) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ chain_b(work, q); });
}
kernel void chain_b(global int *work, queue_t q) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ chain_a(work, q); });
}

// 1.13.17-16: what a block captures, handles included
kernel void captures(queue_t q, read_only pipe int p, sampler_t s, global int *out) {
    clk_event_t e = create_user_event();
    ndrange_t nd = ndrange_1D(4);
    enqueue_kernel(q, 0, nd, ^{
        int x;
        out[0] = read_pipe(p, &x);
        release_event(e);
        enqueue_kernel(q, 0, nd, ^{ out[1] = 2; });
    });
}

// CHECK: %__forms_block_invoke_3_kernel = OpFunction %void
// CHECK: = OpFunctionParameter %_ptr_Generic_uchar
// CHECK: = OpFunctionParameter %_ptr_Workgroup_uchar
// CHECK: = OpFunctionParameter %_ptr_Workgroup_uchar
// CHECK: = OpFunctionCall %void %__forms_block_invoke_3
