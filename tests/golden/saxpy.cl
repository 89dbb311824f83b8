// SPDX-License-Identifier: Apache-2.0
// The shape of a translated kernel: arguments from push constants, integer addresses, one pointer per access with a
// true alignment.
kernel void saxpy(float a, global const float* restrict x, global float* restrict y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
// CHECK: OpCapability PhysicalStorageBufferAddresses
// CHECK: OpEntryPoint GLCompute
// CHECK-NOT: OpTypeStruct %float %float
// CHECK: OpConvertUToPtr %_ptr_PhysicalStorageBuffer_float
// CHECK: OpLoad %float
// CHECK: Aligned
// CHECK: Fma %
// CHECK: OpStore
