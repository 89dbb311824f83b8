// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock: the scope is in the name, the form in the result.
// OPTIONS: --target=opencl2.0 -cl-std=CL3.0
// DIFFERS: clang 15 does not know it
#if !defined(cl_khr_kernel_clock) || !defined(__opencl_c_kernel_clock_scope_device)
#error cl_khr_kernel_clock
#endif
kernel void read(global ulong *ticks, global uint2 *parts) {
    ticks[0] = clock_read_device();
    ticks[1] = clock_read_work_group();
    parts[0] = clock_read_hilo_sub_group();
}
// CHECK: OpCapability ShaderClockKHR
// CHECK: OpExtension "SPV_KHR_shader_clock"
// CHECK: OpReadClockKHR %ulong %uint_1
// CHECK: OpReadClockKHR %ulong %uint_2
// CHECK: OpReadClockKHR %v2uint %uint_3
