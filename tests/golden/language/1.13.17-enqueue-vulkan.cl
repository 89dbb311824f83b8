// A block that is enqueued is a kernel: its captures are push constants, and what enqueues it leaves a record.
// OPTIONS: -cl-std=CL2.0
kernel void k(global int *a, queue_t q) {
    int n = a[0];
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{ a[get_global_id(0)] = n; });
}
// CHECK: OpEntryPoint GLCompute %k "k"
// CHECK: OpEntryPoint GLCompute %__k_block_invoke_kernel "__k_block_invoke_kernel"
// CHECK: %k = OpFunction
// CHECK: OpFunctionCall %v4uint %_Z13enqueue_begin
// CHECK: OpFunctionEnd
// CHECK: %__k_block_invoke_kernel = OpFunction
// CHECK: OpLoad %ulong
// CHECK: OpLoad %uint
// CHECK-NOT: OpFunctionCall
// CHECK: OpStore
// CHECK: OpFunctionEnd
