// SPDX-License-Identifier: Apache-2.0
// By tiles of 32 x 32 in local memory, a column wider than that, so that no bank is hit twice. Groups are 32 x 8.
#define TILE 32
#define ROWS 8

kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose(global const float* restrict in, global float* restrict out, uint width, uint height) {
    local float tile[TILE][TILE + 1];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
    for (uint i = y; i < TILE; i += ROWS) tile[i][x] = in[(row + i) * width + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = y; i < TILE; i += ROWS) out[(column + i) * height + row + x] = tile[x][i];
}
