// SPDX-License-Identifier: Apache-2.0
// The sum of two denormal doubles is their sum: llvmpipe of Mesa 26 sets its threads to flush denormals before it runs a compute shader of
// Vulkan's, those of double too, and offers no DenormPreserve. It does not for kernels of OpenCL.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    const double x = packDouble2x32(uvec2(data[g + 1], 0));
    results[g] = uvec2(unpackDouble2x32(x + x).x, 2 * (g + 1));
}
