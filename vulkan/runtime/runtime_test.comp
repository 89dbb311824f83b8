// SPDX-License-Identifier: Apache-2.0
// What translate() makes of a kernel, by hand: out[id] = id + bias, for the runtime's own tests.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint word[]; };
layout(push_constant) uniform Block {
    uint64_t result;      // offset 0
    uint bias;            // offset 8
    uint padding;
    uint64_t id_base[3];  // offset 16
    uint64_t size[3];     // offset 40
};
void main() {
    uint64_t x = id_base[0] + gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uint64_t y = id_base[1] + gl_WorkGroupID.y * gl_WorkGroupSize.y + gl_LocalInvocationID.y;
    uint64_t z = id_base[2] + gl_WorkGroupID.z * gl_WorkGroupSize.z + gl_LocalInvocationID.z;
    uint64_t linear = (z * size[1] + y) * size[0] + x;
    Words(result + linear * 4).word[0] += uint(linear) + bias;
}
