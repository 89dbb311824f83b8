// SPDX-License-Identifier: Apache-2.0
// Before SPIR-V 1.6 reflection needs an extension.
// OPTIONS: --abi=descriptors -cl-std=CL2.0 --target=vulkan1.1
global int counter = 7;
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void count(global int *out) { out[0] = counter++; }
// CHECK: SPV_KHR_non_semantic_info
// CHECK: ProgramScopeVariablesStorageBuffer
