// SPDX-License-Identifier: Apache-2.0
// Two calls of a function with an array of 65 KiB, one after the other. SwiftShader makes one function of them, and an
// array of each call, for 4 invocations: 520 KiB. Its compiler Subzero has no stack of more than 512, and ends the
// process.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

uint element(uint x) {
    uint array[16640];
    for (uint i = 0; i < 16640; i++) array[i] = x + i;
    return array[x * 1000];
}

void main() {
    const uint g = gl_LocalInvocationIndex;
    results[g] = uvec2(element(data[g]) + element(data[g] + 1), 1001 * g + 1001 * (g + 1));
}
