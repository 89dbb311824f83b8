// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools' OpenCL environments do not know cl_khr_int64_base_atomics; our validator lets its modules pass (oclgrind's and
// piglit's tests).
// OPTIONS: --target=opencl1.2
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void add(global long *sum, local ulong *mine) {
    atom_add(sum, 1);
    atom_xchg(mine, 2);
}
// CHECK: OpCapability Int64Atomics
// CHECK: OpAtomicIAdd %ulong
// CHECK: OpAtomicExchange %ulong
