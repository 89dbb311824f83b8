// SPDX-License-Identifier: Apache-2.0
// Reflection needs no extension in SPIR-V 1.6. Variables that kernels write are no constants; a required size needs no
// specialisation constants.
// OPTIONS: --abi=descriptors -cl-std=CL2.0 --target=vulkan1.3
global int counter = 7;
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void count(global int *out) { out[0] = counter++; }
// CHECK-NOT: SPV_KHR_non_semantic_info
// CHECK: ArgumentInfo
// CHECK: ArgumentStorageBuffer
// CHECK: PropertyRequiredWorkgroupSize
// CHECK-NOT: SpecConstantWorkgroupSize
// CHECK-NOT: ConstantDataStorageBuffer
// CHECK: ProgramScopeVariablesStorageBuffer %uint_1 %uint_0
