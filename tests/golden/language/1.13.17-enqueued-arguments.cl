// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// 1.13.17-19, 1.12.5-17: blocks reach enqueue_kernel and other blocks through parameters.
// CHECK: OpEntryPoint Kernel %__k_block_invoke_kernel "__k_block_invoke_kernel"
// CHECK: OpEntryPoint Kernel %__both_block_invoke_kernel "__both_block_invoke_kernel"
// CHECK: OpEntryPoint Kernel %__k_block_invoke_2_kernel "__k_block_invoke_2_kernel"
// DIFFERS 1.12.5-17: clang refuses parameters of block type
void launch(queue_t q, ndrange_t nd, void (^b)(void), void (^c)(local void *)) {
    enqueue_kernel(q, 0, nd, b);
    enqueue_kernel(q, 0, nd, c, 8);
}
// DIFFERS 1.12.5-17: likewise
void both(queue_t q, void (^b)(void)) {
    launch(q, ndrange_1D(3), b, ^(local void *p) { ((local int *)p)[0] = 1; });
}
// CHECK: %k = OpFunction
kernel void k(global int *out, queue_t q) {
    // CHECK: OpFunctionCall %void %both
    both(q, ^{ out[0] = 1; });
    // CHECK: OpFunctionCall %void %both_0
    both(q, ^{ out[1] = 1; });
    // DIFFERS 1.12.5-17: likewise
    int (^f)(int (^)(int), int) = ^(int (^g)(int), int x) { return g(x); };
    // CHECK: OpFunctionCall %uint %__k_block_invoke_3
    // CHECK: OpFunctionCall %uint %__k_block_invoke_3_0
    // DIFFERS 1.12.5-17: likewise
    out[2] = f(^(int x) { return x + 1; }, 3) + f(^(int x) { return x + 2; }, 4);
}
// CHECK: %launch = OpFunction
// CHECK: OpEnqueueKernel %uint
// CHECK: %__k_block_invoke_kernel
// CHECK: OpEnqueueKernel %uint
// CHECK: %__both_block_invoke_kernel
// CHECK: %launch_0 = OpFunction
// CHECK: OpEnqueueKernel %uint
// CHECK: %__k_block_invoke_2_kernel
