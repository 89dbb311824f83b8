// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -Wuninitialized -cl-std=CL2.0
const sampler_t everywhere;
kernel void k(read_only image2d_t image, global float4 *out) {
    sampler_t unset;
    out[0] = read_imagef(image, unset, (int2)0);
}
