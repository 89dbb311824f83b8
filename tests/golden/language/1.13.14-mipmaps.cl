// SPDX-License-Identifier: Apache-2.0
// cl_khr_mipmap_image and cl_khr_mipmap_image_writes: levels and gradients.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// CHECK: OpCapability ImageMipmap
#define LEVELS(image_t, whole, floating, gradient)                                                                    \
    kernel void l_##image_t(read_only image_t image, write_only image_t to, read_write image_t both, sampler_t s,     \
                            whole i, floating f, gradient x, gradient y, float lod, int level, global float4 *of,     \
                            global int4 *oi, global uint4 *ou) {                                                      \
        of[0] = read_imagef(image, s, f, lod);                                                                        \
        oi[0] = read_imagei(image, s, f, lod);                                                                        \
        ou[0] = read_imageui(both, s, f, lod);                                                                        \
        of[1] = read_imagef(image, s, f, x, y);                                                                       \
        oi[1] = read_imagei(image, s, f, x, y);                                                                       \
        ou[1] = read_imageui(both, s, f, x, y);                                                                       \
        write_imagef(to, i, level, (float4)0);                                                                        \
        write_imagei(to, i, level, (int4)0);                                                                          \
        write_imageui(both, i, level, (uint4)0);                                                                      \
        level = get_image_num_mip_levels(image) + get_image_num_mip_levels(to) + get_image_num_mip_levels(both);      \
    }
#define DEPTH_LEVELS(image_t, whole, floating)                                                                        \
    kernel void l_##image_t(read_only image_t image, write_only image_t to, read_write image_t both, sampler_t s,     \
                            whole i, floating f, float2 x, float2 y, float lod, int level, global float *of) {        \
        of[0] = read_imagef(image, s, f, lod);                                                                        \
        of[1] = read_imagef(both, s, f, x, y);                                                                        \
        write_imagef(to, i, level, 0.0f);                                                                             \
        write_imagef(both, i, level, 0.0f);                                                                           \
        level = get_image_num_mip_levels(image) + get_image_num_mip_levels(to) + get_image_num_mip_levels(both);      \
    }
LEVELS(image2d_t, int2, float2, float2)
// CHECK: %l_image2d_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpFunctionCall %void %_Z12write_imagef14ocl_image2d_wo
// CHECK: OpFunctionCall %void %_Z12write_imagei14ocl_image2d_wo
// CHECK: OpFunctionCall %void %_Z13write_imageui14ocl_image2d_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
LEVELS(image3d_t, int4, float4, float4)
// CHECK: %l_image3d_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpFunctionCall %void %_Z12write_imagef14ocl_image3d_wo
// CHECK: OpFunctionCall %void %_Z12write_imagei14ocl_image3d_wo
// CHECK: OpFunctionCall %void %_Z13write_imageui14ocl_image3d_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
LEVELS(image2d_array_t, int4, float4, float2)
// CHECK: %l_image2d_array_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpFunctionCall %void %_Z12write_imagef20ocl_image2d_array_wo
// CHECK: OpFunctionCall %void %_Z12write_imagei20ocl_image2d_array_wo
// CHECK: OpFunctionCall %void %_Z13write_imageui20ocl_image2d_array_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
LEVELS(image1d_t, int, float, float)
// CHECK: %l_image1d_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpFunctionCall %void %_Z12write_imagef14ocl_image1d_wo
// CHECK: OpFunctionCall %void %_Z12write_imagei14ocl_image1d_wo
// CHECK: OpFunctionCall %void %_Z13write_imageui14ocl_image1d_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
LEVELS(image1d_array_t, int2, float2, float)
// CHECK: %l_image1d_array_t = OpFunction
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Lod %
// CHECK: OpImageSampleExplicitLod %v4float
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpImageSampleExplicitLod %v4uint
// CHECK: Grad %
// CHECK: OpFunctionCall %void %_Z12write_imagef20ocl_image1d_array_wo
// CHECK: OpFunctionCall %void %_Z12write_imagei20ocl_image1d_array_wo
// CHECK: OpFunctionCall %void %_Z13write_imageui20ocl_image1d_array_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
DEPTH_LEVELS(image2d_depth_t, int2, float2)
// CHECK: %l_image2d_depth_t = OpFunction
// CHECK: Lod %
// CHECK: OpCompositeExtract %float
// CHECK: Grad %
// CHECK: OpCompositeExtract %float
// CHECK: OpFunctionCall %void %_Z12write_imagef20ocl_image2d_depth_wo
// CHECK: OpFunctionCall %void %_Z12write_imagef20ocl_image2d_depth_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
DEPTH_LEVELS(image2d_array_depth_t, int4, float4)
// CHECK: %l_image2d_array_depth_t = OpFunction
// CHECK: Lod %
// CHECK: OpCompositeExtract %float
// CHECK: Grad %
// CHECK: OpCompositeExtract %float
// CHECK: OpFunctionCall %void %_Z12write_imagef26ocl_image2d_array_depth_wo
// CHECK: OpFunctionCall %void %_Z12write_imagef26ocl_image2d_array_depth_rw
// CHECK: OpImageQueryLevels %uint %image
// CHECK: OpImageQueryLevels %uint %to
// CHECK: OpImageQueryLevels %uint %both
