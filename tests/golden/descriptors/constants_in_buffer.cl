// SPDX-License-Identifier: Apache-2.0
// A table that a pointer may mean in place of an argument is in a buffer, of which the module tells.
// OPTIONS: --abi=descriptors
constant float table[4] = {1, 2, 3, 5};
constant float alone[2] = {4, 6};
kernel void look_up(global float *y, constant float *given, global const uint *at) {
    constant float *from = at[0] < 4 ? table : given;
    y[0] = from[at[0]] + alone[at[1]];
}
// CHECK: OpVariable %_ptr_Private__arr_float_uint_2 Private
// CHECK: ConstantDataStorageBuffer %uint_1 %uint_0
