// SPDX-License-Identifier: Apache-2.0
// The loop ends where its counter wraps, after 4 turns. Mesa divides 6 - i by 1, and does 9 turns.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    uint sum = 0;
    for (uint i = -4; i > 6; i++) sum += data[g];
    results[g] = uvec2(sum, 4 * g);
}
