// SPDX-License-Identifier: Apache-2.0
#version 460
#define LENGTH 32
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer In { uint data_in[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Out { uint data_out[]; };
void main() {
    const uint id = gl_GlobalInvocationID.x, stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint values[LENGTH];
    for (uint i = 0; i < LENGTH; ++i) {
        const uint value = data_in[i * stride + id];
        uint at = i;
        while (at > 0 && values[at - 1] > value) {
            values[at] = values[at - 1];
            --at;
        }
        values[at] = value;
    }
    for (uint i = 0; i < LENGTH; ++i) data_out[i * stride + id] = values[i];
}
