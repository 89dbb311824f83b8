// SPDX-License-Identifier: Apache-2.0
// Work-items of a sub-group combine the totals of all sub-groups. Each loads one without a branch around it: behind a
// branch, the sub-group might combine those of one side only.
// OPTIONS: -cl-std=CL2.0
// CHECK: OpLoopMerge
// CHECK-NOT: OpSelectionMerge
// CHECK: OpGroupNonUniformSMax %uint %uint_3 Reduce
kernel void test(global int *out) { out[get_global_id(0)] = work_group_reduce_max(out[get_local_id(0)]); }
