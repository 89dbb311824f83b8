// SPDX-License-Identifier: Apache-2.0
// Reading without a sampler and writing, of read_only, write_only and read_write images.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define READS(image, at)                 \
    float4 f = read_imagef(image, at);   \
    int4 i = read_imagei(image, at);     \
    uint4 u = read_imageui(image, at);   \
    half4 h = read_imageh(image, at)
#define WRITES(image, at)         \
    write_imagef(image, at, f);   \
    write_imagei(image, at, i);   \
    write_imageui(image, at, u);  \
    write_imageh(image, at, h)
#define COPY(image_t, whole)                                                         \
    kernel void to_##image_t(read_only image_t from, write_only image_t to, whole at) { \
        READS(from, at);                                                             \
        WRITES(to, at);                                                              \
    }                                                                                \
    kernel void in_##image_t(read_write image_t both, whole at) {                    \
        READS(both, at);                                                             \
        WRITES(both, at);                                                            \
    }
#define COPY_DEPTH(image_t, whole)                                                   \
    kernel void to_##image_t(read_only image_t from, write_only image_t to, read_write image_t both, whole at) { \
        write_imagef(to, at, read_imagef(from, at));                                 \
        write_imagef(both, at, read_imagef(both, at));                               \
    }
COPY(image2d_t, int2)  // 1.13.14-5 1.13.14-39 1.13.14-42
// CHECK: %to_image2d_t = OpFunction
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4half %from
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: %in_image2d_t = OpFunction
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4half %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
COPY(image3d_t, int4)  // 1.13.14-5 1.13.14-39 1.13.14-42
// CHECK: %to_image3d_t = OpFunction
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4half %from
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: %in_image3d_t = OpFunction
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4half %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
COPY(image2d_array_t, int4)  // 1.13.14-5 1.13.14-39 1.13.14-42
// CHECK: %to_image2d_array_t = OpFunction
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4half %from
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: %in_image2d_array_t = OpFunction
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4half %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
COPY(image1d_t, int)  // 1.13.14-5 1.13.14-39 1.13.14-42
// CHECK: %to_image1d_t = OpFunction
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4half %from
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: %in_image1d_t = OpFunction
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4half %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
COPY(image1d_buffer_t, int)  // 1.13.14-5 1.13.14-39 1.13.14-42
// CHECK: %to_image1d_buffer_t = OpFunction
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4half %from
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: %in_image1d_buffer_t = OpFunction
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4half %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
COPY(image1d_array_t, int2)  // 1.13.14-5 1.13.14-39 1.13.14-42
// CHECK: %to_image1d_array_t = OpFunction
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4uint %from
// CHECK: OpImageRead %v4half %from
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: OpImageWrite %to
// CHECK: %in_image1d_array_t = OpFunction
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4uint %both
// CHECK: OpImageRead %v4half %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
// CHECK: OpImageWrite %both
COPY_DEPTH(image2d_depth_t, int2)  // 1.13.14-40 1.13.14-43
// CHECK: OpImageRead %float %from
// CHECK: OpImageWrite %to
// CHECK: OpImageRead %float %both
// CHECK: OpImageWrite %both
COPY_DEPTH(image2d_array_depth_t, int4)  // 1.13.14-40 1.13.14-43
// CHECK: OpImageRead %float %from
// CHECK: OpImageWrite %to
// CHECK: OpImageRead %float %both
// CHECK: OpImageWrite %both
