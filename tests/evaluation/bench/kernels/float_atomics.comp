// SPDX-License-Identifier: Apache-2.0
// With COMPARE_EXCHANGE it is for devices that do not add floats in buffers, as the kernel is there.
#version 460
#ifndef COMPARE_EXCHANGE
#extension GL_EXT_shader_atomic_float : require
#endif
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Cells { uint cells[]; };
layout(set = 0, binding = 1, std430) readonly restrict buffer Weights { float weights[]; };
#ifndef COMPARE_EXCHANGE
layout(set = 0, binding = 2, std430) restrict buffer Sums { float sums[]; };
void add(uint cell, float weight) { atomicAdd(sums[cell], weight); }
#else
layout(set = 0, binding = 2, std430) coherent restrict buffer Sums { uint sums[]; };
void add(uint cell, float weight) {
    for (uint old = sums[cell], seen;; old = seen) {
        seen = atomicCompSwap(sums[cell], old, floatBitsToUint(uintBitsToFloat(old) + weight));
        if (seen == old) return;
    }
}
#endif
void main() {
    const uint i = gl_GlobalInvocationID.x;
    add(cells[i], weights[i]);
}
