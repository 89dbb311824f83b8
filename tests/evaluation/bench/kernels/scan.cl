// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sums within blocks of BLOCK numbers (Hillis and Steele), and the total of each block.
#define BLOCK 256

kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void scan(global const uint* restrict in, global uint* restrict out, global uint* restrict totals) {
    local uint sums[2][BLOCK];
    const uint id = get_global_id(0), lane = get_local_id(0);
    uint sum = in[id], turn = 0;
    sums[0][lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < BLOCK; distance *= 2) {
        if (lane >= distance) sum += sums[turn][lane - distance];
        turn ^= 1;
        sums[turn][lane] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[id] = sum;
    if (lane == BLOCK - 1) totals[get_group_id(0)] = sum;
}
