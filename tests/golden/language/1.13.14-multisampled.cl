// SPDX-License-Identifier: Apache-2.0
// cl_khr_gl_msaa_sharing: samples by their number.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define SAMPLES(image_t, whole)                                                                                        \
    kernel void s_##image_t(read_only image_t image, read_write image_t both, whole i, int sample, global float4 *of,  \
                            global int4 *oi, global uint4 *ou, global int *n) {                                        \
        of[0] = read_imagef(image, i, sample);                                                                         \
        oi[0] = read_imagei(image, i, sample);                                                                         \
        ou[0] = read_imageui(both, i, sample);                                                                         \
        n[0] = get_image_num_samples(image);                                                                           \
    }
#define DEPTH_SAMPLES(image_t, whole)                                                                                  \
    kernel void s_##image_t(read_only image_t image, read_write image_t both, whole i, int sample, global float *of) { \
        of[0] = read_imagef(image, i, sample);                                                                         \
        of[1] = read_imagef(both, i, sample);                                                                          \
        of[2] = get_image_num_samples(both);                                                                           \
    }
SAMPLES(image2d_msaa_t, int2)
// CHECK: OpImageRead %v4float %image
// CHECK: Sample %
// CHECK: OpImageRead %v4uint %image
// CHECK: Sample %
// CHECK: OpImageRead %v4uint %both
// CHECK: Sample %
// CHECK: OpImageQuerySamples %uint %image
SAMPLES(image2d_array_msaa_t, int4)
// CHECK: OpImageRead %v4float %image
// CHECK: Sample %
// CHECK: OpImageRead %v4uint %image
// CHECK: Sample %
// CHECK: OpImageRead %v4uint %both
// CHECK: Sample %
// CHECK: OpImageQuerySamples %uint %image
DEPTH_SAMPLES(image2d_msaa_depth_t, int2)
// CHECK: OpImageRead %float %image
// CHECK: Sample %
// CHECK: OpImageRead %float %both
// CHECK: Sample %
// CHECK: OpImageQuerySamples %uint %both
DEPTH_SAMPLES(image2d_array_msaa_depth_t, int4)
// CHECK: OpImageRead %float %image
// CHECK: Sample %
// CHECK: OpImageRead %float %both
// CHECK: Sample %
// CHECK: OpImageQuerySamples %uint %both
