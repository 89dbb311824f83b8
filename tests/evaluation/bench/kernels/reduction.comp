// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Data { float data[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Partial { float partial[]; };
layout(push_constant) uniform Block { uint count; };
shared float scratch[gl_WorkGroupSize.x];
void main() {
    precise float sum = 0.0;  // OpenCL C keeps the order of sums
    const uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) sum += data[i];
    const uint lane = gl_LocalInvocationID.x;
    scratch[lane] = sum;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2; width > 0; width /= 2) {
        if (lane < width) scratch[lane] += scratch[lane + width];
        barrier();
    }
    if (lane == 0) partial[gl_WorkGroupID.x] = scratch[0];
}
