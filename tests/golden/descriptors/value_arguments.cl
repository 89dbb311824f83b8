// SPDX-License-Identifier: Apache-2.0
// Arguments by value are where clspv has them by default: in one storage buffer, after the others.
// OPTIONS: --abi=descriptors --value-arguments=storage-buffer
kernel void scale(global float *y, float a, int n) {
    size_t i = get_global_id(0);
    if (i < n) y[i] *= a;
}
kernel void count(global int *y) { y[get_global_id(0)]++; }
// CHECK: OpDecorate %scale_arguments DescriptorSet 0
// CHECK: OpDecorate %scale_arguments Binding 1
// CHECK: OpDecorate %scale_arguments NonWritable
// CHECK: %scale_arguments = OpVariable %_ptr_StorageBuffer
// CHECK-NOT: %count_arguments
// CHECK: ArgumentPodStorageBuffer
// CHECK: ArgumentPodStorageBuffer
