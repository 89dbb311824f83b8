// SPDX-License-Identifier: Apache-2.0
// The table is a storage buffer: faster than a constant array where drivers keep those in private memory.
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Words { uint words[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Crcs { uint crcs[]; };
layout(set = 0, binding = 2, std430) readonly restrict buffer Table { uint crc_table[256]; };
layout(push_constant) uniform Block { uint words_per_item; };
void main() {
    const uint id = gl_GlobalInvocationID.x, stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint crc = ~0u;
    for (uint k = 0; k < words_per_item; ++k) {
        uint word = words[k * stride + id];
        for (int i = 0; i < 4; ++i, word >>= 8) crc = crc_table[(crc ^ word) & 255] ^ (crc >> 8);
    }
    crcs[id] = ~crc;
}
