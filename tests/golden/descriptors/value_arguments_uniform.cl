// SPDX-License-Identifier: Apache-2.0
// Arguments by value are in one uniform buffer, as with clspv's -pod-ubo, even if they fit in push constants.
// OPTIONS: --abi=descriptors --value-arguments=uniform-buffer
kernel void scale(global float *y, float a, int n) {
    size_t i = get_global_id(0);
    if (i < n) y[i] *= a;
}
// CHECK: OpDecorate %scale_arguments Binding 1
// CHECK: %scale_arguments = OpVariable %_ptr_Uniform
// CHECK: ArgumentPodUniform
// CHECK: %uint_2 %uint_0 %uint_1 %uint_4 %uint_4
