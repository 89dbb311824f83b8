// SPDX-License-Identifier: Apache-2.0
// A private array of 76 KiB, indexed by what is known at run time only. NVIDIA's driver 580.159 makes no pipeline of it
// (VK_ERROR_UNKNOWN) if its entry point has more than 15,856 bytes of private memory, for which Vulkan has no limit.
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    uint array[19456];
    for (uint i = 0; i < 19456; i++) array[i] = data[i & 4095] + g;
    for (uint i = data[1]; i < 19456; i += 4) array[i] += array[i - 1];
    results[g] = uvec2(array[data[1] * 4 + data[9]], 13 + g + 12 + g);
}
