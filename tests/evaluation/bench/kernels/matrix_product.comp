// SPDX-License-Identifier: Apache-2.0
#version 460
#define TILE 16
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer A { float a[]; };
layout(set = 0, binding = 1, std430) readonly restrict buffer B { float b[]; };
layout(set = 0, binding = 2, std430) writeonly restrict buffer C { float c[]; };
layout(push_constant) uniform Block { uint n; };
shared float tile_a[TILE][TILE], tile_b[TILE][TILE];
void main() {
    const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    const uint column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    precise float sum = 0.0;  // `precise` and fma: what OpenCL C keeps in order, and what it contracts
    for (uint k = 0; k < n; k += TILE) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        barrier();
        for (uint i = 0; i < TILE; ++i) sum = fma(tile_a[y][i], tile_b[i][x], sum);
        barrier();
    }
    c[row * n + column] = sum;
}
