// SPDX-License-Identifier: Apache-2.0
// By addresses, images and samplers of Vulkan's are descriptors beside addresses: only they have bindings.
// OPTIONS: --images=hardware
kernel void copy(global float4 *out, read_only image3d_t from, sampler_t own, global int *other,
                 write_only image2d_t to, write_only image1d_buffer_t numbers) {
    const float4 color = read_imagef(from, own, (float4)(get_global_id(0), 1, 2, 0));
    out[0] = color;
    write_imagef(to, (int2)(0, 0), color);
    write_imagei(numbers, 3, (int4)(other[0]));
}
// CHECK: OpCapability ImageBuffer
// CHECK: OpCapability StorageImageWriteWithoutFormat
// CHECK: OpCapability PhysicalStorageBufferAddresses
// CHECK: OpDecorate %from DescriptorSet 0
// CHECK: OpDecorate %from Binding 0
// CHECK: OpDecorate %own DescriptorSet 0
// CHECK: OpDecorate %own Binding 1
// CHECK: OpDecorate %to DescriptorSet 0
// CHECK: OpDecorate %to Binding 2
// CHECK: OpDecorate %numbers DescriptorSet 0
// CHECK: OpDecorate %numbers Binding 3
// CHECK-NOT: Binding
// CHECK: OpTypeInt 32 1
// CHECK: OpTypeImage %float 3D 0 0 0 1 Unknown
// CHECK: OpTypeImage %float 2D 0 0 0 2 Unknown
// CHECK: OpTypeImage %int Buffer 0 0 0 2 Unknown
// CHECK: OpImageQuerySizeLod %v3uint
// CHECK: OpFDiv %v3float
// CHECK: OpImageSampleExplicitLod %v4float
