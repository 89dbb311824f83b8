// SPDX-License-Identifier: Apache-2.0
// Is a work-group of one dimension cut into sub-groups in the order of its work-items?
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) buffer Result { uint elsewhere; } result;
void main() {
    if (gl_LocalInvocationIndex != gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
        atomicAdd(result.elsewhere, 1u);
}
