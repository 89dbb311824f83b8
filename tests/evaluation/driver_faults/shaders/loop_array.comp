// SPDX-License-Identifier: Apache-2.0
// The same of an array that becomes values when the loop behind is unrolled.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    uint array[4] = {1, 0, 3, 4};
    uint turns = 1, sum = g;
    bool wait = g == 10;
    while (true) {
        if (wait) {
            wait = false;
            continue;
        }
        array[1] = data[g];
        if (turns-- != 0) {
            wait = true;
            continue;
        }
        break;
    }
    for (uint i = 0; i < 4; i++) sum = sum * 10 + array[i];
    results[g] = uvec2(sum, g * 10000 + 1034 + g * 100);
}
