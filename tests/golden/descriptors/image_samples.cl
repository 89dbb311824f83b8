// SPDX-License-Identifier: Apache-2.0
// cl_khr_gl_msaa_sharing with Vulkan's images: samples by their numbers.
// OPTIONS: --abi=descriptors -cl-std=CL3.0
// CHECK: OpTypeImage %float 2D 0 0 1 1 Unknown
#define SAMPLES(image_t, whole)                                                                                       \
    kernel void s_##image_t(read_only image_t image, whole i, int sample, global float4 *of, global int *n) {         \
        of[0] = read_imagef(image, i, sample);                                                                        \
        n[0] = get_image_num_samples(image) + get_image_width(image) + get_image_height(image);                       \
    }                                                                                                                 \
    kernel void i_##image_t(read_only image_t image, whole i, int sample, global int4 *oi) {                          \
        oi[0] = read_imagei(image, i, sample);                                                                        \
    }                                                                                                                 \
    kernel void u_##image_t(read_only image_t image, whole i, int sample, global uint4 *ou) {                         \
        ou[0] = read_imageui(image, i, sample);                                                                       \
    }
#define DEPTH_SAMPLES(image_t, whole)                                                                                 \
    kernel void d_##image_t(read_only image_t image, whole i, int sample, global float *of) {                         \
        of[0] = read_imagef(image, i, sample) + get_image_num_samples(image);                                         \
    }
SAMPLES(image2d_msaa_t, int2)
// CHECK: %s_image2d_msaa_t = OpFunction
// CHECK: OpImageFetch %v4float
// CHECK: Sample %
// CHECK: OpImageQuerySamples
// CHECK: OpImageQuerySize %
// CHECK: %i_image2d_msaa_t = OpFunction
// CHECK: OpImageFetch
// CHECK: Sample %
SAMPLES(image2d_array_msaa_t, int4)
// CHECK: %s_image2d_array_msaa_t = OpFunction
// CHECK: OpImageFetch %v4float
// CHECK: Sample %
// CHECK: OpImageQuerySamples
DEPTH_SAMPLES(image2d_msaa_depth_t, int2)
// CHECK: %d_image2d_msaa_depth_t = OpFunction
// CHECK: OpImageFetch %v4float
// CHECK: Sample %
DEPTH_SAMPLES(image2d_array_msaa_depth_t, int4)
// CHECK: %d_image2d_array_msaa_depth_t = OpFunction
// CHECK: OpImageFetch %v4float
// CHECK: Sample %
