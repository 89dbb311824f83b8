// SPDX-License-Identifier: Apache-2.0
// Mesa 22.3: lanes of a llvmpipe vector beyond the end of the work-group stay in loops. What they load is 0, so they never get to
// 1 here, until loops end for their jumps, and with them the loops behind of the invocations in the same vector.
#version 450
layout(local_size_x = 12) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    uint x = data[g + 1];
    while (x != 1) x = (x & 1) == 0 ? x / 2 : 3 * x + 1;
    uint odd = 0;
    for (uint i = 0; i < 199 + x; i++) odd += i & data[1];
    results[g] = uvec2(odd, 100);
    if (g >= 8) results[g + 4] = results[g];
}
