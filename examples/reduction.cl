// SPDX-License-Identifier: Apache-2.0
// The sum of each work-group's share of the data; the host adds the partial sums or runs the kernel again.
kernel void reduction(global const uint* restrict data, uint count, local uint* scratch, global uint* restrict partial) {
    uint sum = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += data[i];
    const uint id = get_local_id(0);
    scratch[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
        if (id < width) scratch[id] += scratch[id + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0) partial[get_group_id(0)] = scratch[0];
}
