// SPDX-License-Identifier: Apache-2.0
// Without images there is no image type and no sampler. 1.1.3-10
// OPTIONS: -cl-std=CL3.0 -cl-ext=-__opencl_c_images,-__opencl_c_read_write_images,-__opencl_c_3d_image_writes,-cl_khr_3d_image_writes,-cl_khr_gl_msaa_sharing
void image(read_only image2d_t image);            // 1.1.3-10
void sampler(sampler_t s);                        // 1.1.3-10
event_t fine(event_t e);
#ifdef __IMAGE_SUPPORT__
// DIFFERS 1.10-17: undefined without image support
#error images
#endif
