// SPDX-License-Identifier: Apache-2.0
// cl_khr_work_group_uniform_arithmetic
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// DIFFERS: clang 15 does not know it
#ifndef cl_khr_work_group_uniform_arithmetic
#error cl_khr_work_group_uniform_arithmetic
#endif
kernel void combine(global int *i, global float *f) {
    i[0] = work_group_reduce_mul(i[0]);
    f[0] = work_group_scan_inclusive_mul(f[0]);
    i[1] = work_group_reduce_and(i[1]);
    i[2] = work_group_scan_exclusive_xor(i[2]);
    i[3] = work_group_reduce_logical_or(i[3]);
}
// CHECK: OpCapability GroupUniformArithmeticKHR
// CHECK: OpExtension "SPV_KHR_uniform_group_instructions"
// CHECK: OpGroupIMulKHR %uint %uint_2 Reduce
// CHECK: OpGroupFMulKHR %float %uint_2 InclusiveScan
// CHECK: OpGroupBitwiseAndKHR %uint %uint_2 Reduce
// CHECK: OpGroupBitwiseXorKHR %uint %uint_2 ExclusiveScan
// CHECK: OpINotEqual %bool
// CHECK: OpGroupLogicalOrKHR %bool %uint_2 Reduce
