// SPDX-License-Identifier: Apache-2.0
#version 460
#define BLOCK 256
layout(local_size_x = BLOCK) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer In { uint data_in[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Out { uint data_out[]; };
layout(set = 0, binding = 2, std430) writeonly restrict buffer Totals { uint totals[]; };
shared uint sums[2][BLOCK];
void main() {
    const uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    uint sum = data_in[id], turn = 0;
    sums[0][lane] = sum;
    barrier();
    for (uint distance = 1; distance < BLOCK; distance *= 2) {
        if (lane >= distance) sum += sums[turn][lane - distance];
        turn ^= 1;
        sums[turn][lane] = sum;
        barrier();
    }
    data_out[id] = sum;
    if (lane == BLOCK - 1) totals[gl_WorkGroupID.x] = sum;
}
