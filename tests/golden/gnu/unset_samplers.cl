// SPDX-License-Identifier: Apache-2.0
// A sampler that nothing sets has no bits set, as in clang, which accepts it. -Wuninitialized tells of it.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void k(read_only image2d_t image, global float4 *out) {
    sampler_t unset;
    const sampler_t unused;
    out[0] = read_imagef(image, unset, (int2)0);
}
// CHECK: None 0 Nearest
