// SPDX-License-Identifier: Apache-2.0
// Is a work-group of one dimension cut into sub-groups in the order of its work-items?
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x_id = 0) in;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Result { uint elsewhere; };
layout(push_constant, std430) uniform Block { Result result; };
void main() {
    if (gl_LocalInvocationIndex != gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
        atomicAdd(result.elsewhere, 1u);
}
