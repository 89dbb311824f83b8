// SPDX-License-Identifier: Apache-2.0
// Mesa 22.3 ends the loops of a llvmpipe invocation once they have jumped back 65,535 times in all.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    uint odd = 0;
    for (uint i = 0; i < 200000 + data[g]; i++) odd += i & data[1];
    results[g] = uvec2(odd, 100000 + g / 2);
}
