// SPDX-License-Identifier: Apache-2.0
// cl_khr_mipmap_image with Vulkan's images: levels by their numbers and by gradients.
// OPTIONS: --abi=descriptors -cl-std=CL3.0
#define LEVELS(image_t, floating, gradient)                                                                           \
    kernel void l_##image_t(read_only image_t image, sampler_t s, floating f, gradient x, gradient y, float lod,      \
                            global float4 *of, write_only image_t to) {                                               \
        of[0] = read_imagef(image, s, f, lod);                                                                        \
        of[1] = read_imagef(image, s, f, x, y);                                                                       \
        of[2] = get_image_num_mip_levels(image) + get_image_num_mip_levels(to);                                       \
    }                                                                                                                 \
    kernel void i_##image_t(read_only image_t image, sampler_t s, floating f, gradient x, gradient y, float lod,      \
                            global int4 *oi) {                                                                        \
        oi[0] = read_imagei(image, s, f, lod);                                                                        \
        oi[1] = read_imagei(image, s, f, x, y);                                                                       \
    }                                                                                                                 \
    kernel void u_##image_t(read_only image_t image, sampler_t s, floating f, gradient x, gradient y, float lod,      \
                            global uint4 *ou) {                                                                       \
        ou[0] = read_imageui(image, s, f, lod);                                                                       \
        ou[1] = read_imageui(image, s, f, x, y);                                                                      \
    }
LEVELS(image1d_t, float, float)
// CHECK: %l_image1d_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Grad %
// CHECK: OpImageQueryLevels
// CHECK: %i_image1d_t = OpFunction
// CHECK: OpImageSampleExplicitLod
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod
// CHECK: Grad %
LEVELS(image1d_array_t, float2, float)
// CHECK: %l_image1d_array_t = OpFunction
// CHECK: Lod %
// CHECK: Grad %
LEVELS(image2d_t, float2, float2)
// CHECK: %l_image2d_t = OpFunction
// CHECK: Lod %
// CHECK: Grad %
LEVELS(image2d_array_t, float4, float2)
// CHECK: %l_image2d_array_t = OpFunction
// CHECK: Lod %
// CHECK: Grad %
LEVELS(image3d_t, float4, float4)
// CHECK: %l_image3d_t = OpFunction
// CHECK: Lod %
// CHECK: Grad %
// CHECK: OpImageQueryLevels
#define DEPTH_LEVELS(image_t, floating)                                                                              \
    kernel void d_##image_t(read_only image_t image, sampler_t s, floating f, float2 x, float2 y, float lod,          \
                            global float *of) {                                                                       \
        of[0] = read_imagef(image, s, f, lod);                                                                        \
        of[1] = read_imagef(image, s, f, x, y);                                                                       \
        of[2] = get_image_num_mip_levels(image);                                                                      \
    }
DEPTH_LEVELS(image2d_depth_t, float2)
// CHECK: %d_image2d_depth_t = OpFunction
// CHECK: Lod %
// CHECK: Grad %
DEPTH_LEVELS(image2d_array_depth_t, float4)
// CHECK: %d_image2d_array_depth_t = OpFunction
// CHECK: Lod %
// CHECK: Grad %
// CHECK: OpImageQueryLevels
