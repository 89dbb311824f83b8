// SPDX-License-Identifier: Apache-2.0
#version 460
#define TILE 32
#define ROWS 8
layout(local_size_x = TILE, local_size_y = ROWS) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer In { float data_in[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Out { float data_out[]; };
layout(push_constant) uniform Block { uint width, height; };
shared float tile[TILE][TILE + 1];
void main() {
    const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    const uint column = gl_WorkGroupID.x * TILE, row = gl_WorkGroupID.y * TILE;
    for (uint i = y; i < TILE; i += ROWS) tile[i][x] = data_in[(row + i) * width + column + x];
    barrier();
    for (uint i = y; i < TILE; i += ROWS) data_out[(column + i) * height + row + x] = tile[x][i];
}
