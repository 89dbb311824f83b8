// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Data { uint8_t data[]; };
layout(set = 0, binding = 1, std430) restrict buffer Bins { uint bins[]; };
layout(push_constant) uniform Block { uint count; };
shared uint local_bins[256];
void main() {
    for (uint i = gl_LocalInvocationID.x; i < 256; i += gl_WorkGroupSize.x) local_bins[i] = 0;
    barrier();
    const uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) atomicAdd(local_bins[uint(data[i])], 1);
    barrier();
    for (uint i = gl_LocalInvocationID.x; i < 256; i += gl_WorkGroupSize.x)
        if (local_bins[i] != 0) atomicAdd(bins[i], local_bins[i]);
}
