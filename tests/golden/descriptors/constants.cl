// SPDX-License-Identifier: Apache-2.0
// Tables are arrays of the module with initializers, which need no buffer of the host.
// OPTIONS: --abi=descriptors
constant float table[4] = {1, 2, 3, 5};
constant uint other[3] = {7, 8, 9};
kernel void look_up(global float *y, global const uint *at) { y[0] = table[at[0]]; }
kernel void add(global uint *y, global const uint *at) { y[0] += other[at[0]]; }
// CHECK-NOT: ConstantDataStorageBuffer
// CHECK-NOT: DescriptorSet 1
// CHECK: OpConstantComposite %_arr_float_uint_4 %float_1 %float_2 %float_3 %float_5
// CHECK: OpVariable %_ptr_Private__arr_float_uint_4 Private
// CHECK: OpConstantComposite %_arr_uint_uint_3 %uint_7 %uint_8 %uint_9
// CHECK: OpVariable %_ptr_Private__arr_uint_uint_3 Private
