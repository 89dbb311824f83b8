// SPDX-License-Identifier: Apache-2.0
// Images and samplers are descriptors as clspv has them. Samplers of the source are in set 0, the last one first, and
// arguments in set 1. What the host says of an image is a push constant after the arguments.
// OPTIONS: --abi=descriptors
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

kernel void filter(read_only image2d_t from, write_only image2d_t to, int shift, sampler_t own) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 middle = convert_float2(at) + 0.5f;
    float4 color = read_imagef(from, edge, at) + read_imagef(from, repeat, middle) + read_imagef(from, own, middle);
    if (get_image_channel_order(from) == CLK_A) color = color.wwww;
    write_imagef(to, at + shift, color);
}
// CHECK: OpCapability StorageImageWriteWithoutFormat
// CHECK-NOT: StorageImageReadWithoutFormat
// CHECK: OpDecorate %from DescriptorSet 1
// CHECK: OpDecorate %from Binding 0
// CHECK: OpDecorate %own DescriptorSet 1
// CHECK: OpDecorate %own Binding 2
// CHECK: OpDecorate %to DescriptorSet 1
// CHECK: OpDecorate %to Binding 1
// CHECK: OpDecorate %to NonReadable
// CHECK: DescriptorSet 0
// CHECK: Binding 0
// CHECK: DescriptorSet 0
// CHECK: Binding 1
// CHECK: OpTypeImage %float 2D 0 0 0 1 Unknown
// CHECK: OpTypeImage %float 2D 0 0 0 2 Unknown
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageWrite
// CHECK: ArgumentSampledImage
// CHECK: %uint_0 %uint_1 %uint_0
// CHECK: ArgumentStorageImage
// CHECK: %uint_1 %uint_1 %uint_1
// CHECK: ArgumentPodPushConstant
// CHECK: %uint_2 %uint_0 %uint_4
// CHECK: ArgumentSampler
// CHECK: %uint_3 %uint_1 %uint_2
// CHECK: ImageArgumentInfoChannelOrderPushConstant
// CHECK: %uint_0 %uint_4 %uint_4
// CHECK: LiteralSampler %uint_0 %uint_0 %uint_39
// CHECK: LiteralSampler %uint_0 %uint_1 %uint_18
