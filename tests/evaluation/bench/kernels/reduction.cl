// SPDX-License-Identifier: Apache-2.0
// The sum of each work-group's share of the data; its items stride through all of it.
kernel void reduction(global const float* restrict data, uint count, local float* scratch, global float* restrict partial) {
    float sum = 0.0f;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += data[i];
    const uint lane = get_local_id(0);
    scratch[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
        if (lane < width) scratch[lane] += scratch[lane + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) partial[get_group_id(0)] = scratch[0];
}
