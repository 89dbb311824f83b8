// SPDX-License-Identifier: Apache-2.0
// Each pointer argument is a storage buffer, arguments by value are push constants; numbers as clspv assigns them.
// OPTIONS: --abi=descriptors
kernel void scale(global float *y, float a, global const float *x) {
    size_t i = get_global_id(0);
    y[i] = a * x[i];
}
kernel void tabulate(global float *y, local float *scratch, constant int *table) {
    scratch[0] = table[1];
    y[get_global_id(0)] += scratch[0];
}
// CHECK-NOT: PhysicalStorageBuffer
// CHECK: OpMemoryModel Logical Vulkan
// CHECK: SpecId 3
// CHECK: ArrayStride 4
// CHECK: Block
// CHECK: DescriptorSet 0
// CHECK: Binding 1
// CHECK: Aliased
// CHECK: DescriptorSet 0
// CHECK: Binding 0
// CHECK: Aliased
// CHECK: DescriptorSet 0
// CHECK: Binding 2
// CHECK: Aliased
// CHECK-NOT: Binding
// CHECK: BuiltIn GlobalInvocationId
// CHECK: %scale_arguments = OpVariable %_ptr_PushConstant
// CHECK: OpAccessChain %_ptr_StorageBuffer_uint
// CHECK-NOT: OpConvertUToPtr
// CHECK-NOT: ulong
