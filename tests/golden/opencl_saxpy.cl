// SPDX-License-Identifier: Apache-2.0
// The same kernel before translation, in the shape of clang and llvm-spirv.
// OPTIONS: --target=opencl1.2
kernel void saxpy(float a, global const float* restrict x, global float* restrict y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
// CHECK: OpCapability Addresses
// CHECK: OpMemoryModel Physical64 OpenCL
// CHECK: OpEntryPoint Kernel
// CHECK: BuiltIn GlobalInvocationId
// CHECK: OpInBoundsPtrAccessChain
// CHECK: OpReturn
