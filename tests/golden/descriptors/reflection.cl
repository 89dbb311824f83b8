// SPDX-License-Identifier: Apache-2.0
// The module tells its interface as clspv's modules do.
// OPTIONS: --abi=descriptors --module-constants-in-storage-buffer -cl-std=CL2.0 -cl-kernel-arg-info
constant int primes[] = {2, 3, 5, 7};
kernel void scale(global float *restrict y, float a, local int *scratch, constant float *x) {
    size_t i = get_global_id(0);
    scratch[get_local_id(0)] = primes[i & 3] + get_work_dim();
    y[i] = a * x[i] + scratch[0];
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fill(float16 a, float16 b, global float *y, int n) {
    y[0] = a.s0 + b.sf + n;
}
// CHECK: OpExtension "SPV_KHR_non_semantic_info"
// CHECK: OpExtInstImport "NonSemantic.ClspvReflection.5"
// CHECK: OpString "float*"
// CHECK: OpString "02000000030000000500000007000000"
// CHECK: OpFunctionEnd
// CHECK: Kernel %scale
// CHECK: ArgumentInfo
// CHECK: %uint_4507 %uint_4515 %uint_2
// CHECK: ArgumentStorageBuffer
// CHECK: %uint_0 %uint_0 %uint_0
// CHECK: ArgumentPodPushConstant
// CHECK: %uint_1 %uint_0 %uint_4
// CHECK: ArgumentWorkgroup
// CHECK: %uint_2 %uint_4 %uint_4
// CHECK: %uint_4509 %uint_4515 %uint_1
// CHECK: ArgumentStorageBuffer
// CHECK: %uint_3 %uint_0 %uint_1
// CHECK: Kernel %fill
// CHECK: ArgumentPodUniform
// CHECK: %uint_0 %uint_0 %uint_3 %uint_0 %uint_64
// CHECK: ArgumentPodUniform
// CHECK: %uint_1 %uint_0 %uint_3 %uint_64 %uint_64
// CHECK: PropertyRequiredWorkgroupSize
// CHECK: %uint_4 %uint_2 %uint_1
// CHECK: SpecConstantWorkgroupSize %uint_0 %uint_1 %uint_2
// CHECK: SpecConstantWorkDim %uint_3
// CHECK: ConstantDataStorageBuffer %uint_1 %uint_0
