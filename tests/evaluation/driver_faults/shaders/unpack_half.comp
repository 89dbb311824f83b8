// SPDX-License-Identifier: Apache-2.0
// unpackHalf2x16() gives floats. Where the processor has no F16C, llvmpipe 22.3 takes halves for integers: the bits come
// out, or its compiler ends the process.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    // 1, 1 + 2^-10, 1 + 2^-9, ...
    results[g] = uvec2(floatBitsToUint(unpackHalf2x16(0x3c00u + data[g]).x), (127 << 23) + (g << 13));
}
