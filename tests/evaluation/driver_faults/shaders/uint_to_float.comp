// SPDX-License-Identifier: Apache-2.0
// SwiftShader rounds a uint twice on its way to float.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    // a step of the result is 256; the lower 31 bits alone are rounded to 64, up to the middle, and then to an even step
    const uint below = 0xc0000000u + 256 * (2 * data[g] + 1);
    results[g] = uvec2(floatBitsToUint(float(below + 127)), (158 << 23) + ((below >> 8) & 0x7fffff));
}
