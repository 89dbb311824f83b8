// SPDX-License-Identifier: Apache-2.0
// OPTIONS: --target=opencl2.2
// CHECK: OpCapability SubgroupDispatch
// CHECK: OpExecutionMode %entry VecTypeHint 262146
// CHECK: OpExecutionMode %entry SubgroupSize 4
// CHECK: OpString "vec_type_hint.entry.uint4"
__attribute__((intel_reqd_sub_group_size(4), vec_type_hint(uint4))) kernel void entry(global uint *o) { o[0] = 1; }
