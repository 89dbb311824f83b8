// SPDX-License-Identifier: Apache-2.0
// The sum of 21 rounded steps is below 3.1, and their product is above it: Mesa leaves the last of 22 turns out.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    uint sum = 0;
    precise float x = 1;
    for (; x < 3.1; x += 0.1) sum += data[g];
    results[g] = uvec2(sum, 22 * g);
}
