// SPDX-License-Identifier: Apache-2.0
// A dispatch of clspv's modules is a whole NDRange without an offset: no hidden arguments. get_work_dim() is a constant
// before those of local arguments.
// OPTIONS: --abi=descriptors -cl-std=CL2.0
kernel void ids(global uint *out, local uint *scratch) {
    scratch[0] = get_work_dim();
    out[0] = get_global_size(0) + get_num_groups(1) + get_group_id(2) + get_global_offset(0) + scratch[0];
    out[1] = get_enqueued_local_size(0) + get_global_linear_id();
}
// CHECK-NOT: PushConstant
// CHECK: SpecId 4
// CHECK: SpecId 3
// CHECK: BuiltIn NumWorkgroups
// CHECK: OpSpecConstant %uint 3
