// SPDX-License-Identifier: Apache-2.0
// Invocations leave the loop at different times, each with its own value. llvmpipe keeps that of the last turn for all.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex, end = g % 5;
    uint i = 0, last;
    while (true) {
        last = data[g + i * 20] * 3 + i;
        if (i++ == end) break;
    }
    results[g] = uvec2(last, (g + end * 20) * 3 + end);
}
