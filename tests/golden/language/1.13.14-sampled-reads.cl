// SPDX-License-Identifier: Apache-2.0
// Reading through a sampler, by integer and by floating coordinates. A depth image gives one number.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define READ(image_t, whole, floating)                                                                  \
    kernel void from_##image_t(read_only image_t image, sampler_t s, whole i, floating f,               \
                               global float4 *of, global int4 *oi, global uint4 *ou, global half4 *oh) { \
        of[0] = read_imagef(image, s, i);                                                               \
        of[1] = read_imagef(image, s, f);                                                               \
        oi[0] = read_imagei(image, s, i);                                                               \
        oi[1] = read_imagei(image, s, f);                                                               \
        ou[0] = read_imageui(image, s, i);                                                              \
        ou[1] = read_imageui(image, s, f);                                                              \
        oh[0] = read_imageh(image, s, i);                                                               \
        oh[1] = read_imageh(image, s, f);                                                               \
    }
#define READ_DEPTH(image_t, whole, floating)                                                            \
    kernel void from_##image_t(read_only image_t image, sampler_t s, whole i, floating f, global float *of) { \
        of[0] = read_imagef(image, s, i);                                                               \
        of[1] = read_imagef(image, s, f);                                                               \
    }
READ(image2d_t, int2, float2)  // 1.13.14-27
// CHECK: %from_image2d_t = OpFunction
// CHECK: OpSampledImage
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4half
// CHECK: OpImageSampleExplicitLod %v4half
READ(image3d_t, int4, float4)  // 1.13.14-28
// CHECK: %from_image3d_t = OpFunction
// CHECK: OpSampledImage
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4half
// CHECK: OpImageSampleExplicitLod %v4half
READ(image2d_array_t, int4, float4)  // 1.13.14-29
// CHECK: %from_image2d_array_t = OpFunction
// CHECK: OpSampledImage
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4half
// CHECK: OpImageSampleExplicitLod %v4half
READ(image1d_t, int, float)  // 1.13.14-30
// CHECK: %from_image1d_t = OpFunction
// CHECK: OpSampledImage
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4half
// CHECK: OpImageSampleExplicitLod %v4half
READ(image1d_array_t, int2, float2)  // 1.13.14-31
// CHECK: %from_image1d_array_t = OpFunction
// CHECK: OpSampledImage
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: OpImageSampleExplicitLod %v4half
// CHECK: OpImageSampleExplicitLod %v4half
READ_DEPTH(image2d_depth_t, int2, float2)  // 1.13.14-32
// CHECK: %from_image2d_depth_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpCompositeExtract %float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpCompositeExtract %float
READ_DEPTH(image2d_array_depth_t, int4, float4)  // 1.13.14-33
// CHECK: %from_image2d_array_depth_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpCompositeExtract %float
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: OpCompositeExtract %float
