// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Cells { uint cells[]; };
layout(set = 0, binding = 1, std430) readonly restrict buffer Weights { float weights[]; };
layout(set = 0, binding = 2, std430) restrict buffer Sums { float sums[]; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    atomicAdd(sums[cells[i]], weights[i]);
}
