// SPDX-License-Identifier: Apache-2.0
// llvmpipe's LLVM 15 ends the process ("Cannot select: scalar_to_vector") at a float that was computed and that the first
// active work-item broadcasts.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    const uint first = subgroupBroadcastFirst(data[g]);
    uint found = floatBitsToUint(1.0);
    if (data[g] > 2) found = floatBitsToUint(subgroupBroadcastFirst(sqrt(float(data[g]))) + 1);
    // Sub-groups of 4 or 8 work-items: the first active one is the first, or the one with 3.
    const float least = float(max(first, 3u));
    results[g] = uvec2(found, data[g] > 2 ? floatBitsToUint(sqrt(least) + 1) : floatBitsToUint(1.0));
}
