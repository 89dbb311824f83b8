// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// Flags, results and event states of device-side enqueue: their values are those of the API's headers.
_Static_assert(CLK_ENQUEUE_FLAGS_NO_WAIT == 0, "1.13.17-20");
_Static_assert(CLK_ENQUEUE_FLAGS_WAIT_KERNEL == 1, "1.13.17-21");
_Static_assert(CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP == 2, "1.13.17-22");
_Static_assert(CLK_SUCCESS == 0 && CLK_ENQUEUE_FAILURE == -101, "1.13.17-8");
_Static_assert(CLK_INVALID_QUEUE == -102, "1.13.17-9");
_Static_assert(CLK_INVALID_NDRANGE == -160, "1.13.17-10");
_Static_assert(CLK_INVALID_EVENT_WAIT_LIST == -57, "1.13.17-11");
_Static_assert(CLK_DEVICE_QUEUE_FULL == -161, "1.13.17-12");
_Static_assert(CLK_INVALID_ARG_SIZE == -51, "1.13.17-13");
_Static_assert(CLK_EVENT_ALLOCATION_FAILURE == -100, "1.13.17-14");
_Static_assert(CLK_OUT_OF_RESOURCES == -5, "1.13.17-15");
_Static_assert(CL_COMPLETE == 0 && CL_SUBMITTED == 2, "1.13.17-29, 1.13.17-30");
_Static_assert(CLK_PROFILING_COMMAND_EXEC_TIME == 1, "1.13.17-32");

// CHECK: %k = OpFunction
kernel void k(void) {
    // 1.13.17-37: the specification's examples slip; what they mean is
    queue_t q = get_default_queue();
    ndrange_t nd = ndrange_1D(1);
    // CHECK: OpEnqueueKernel
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, nd, ^{});
}
