// SPDX-License-Identifier: Apache-2.0
// Arguments by value that do not fit in push constants are one uniform buffer, after the buffers.
// OPTIONS: --abi=descriptors
kernel void fill(float16 a, float16 b, global float *y, int n) {
    y[0] = a.s0 + b.sf + n;
}
// CHECK: OpDecorate %fill_arguments DescriptorSet 0
// CHECK: OpDecorate %fill_arguments Binding 1
// CHECK: %fill_arguments = OpVariable %_ptr_Uniform
