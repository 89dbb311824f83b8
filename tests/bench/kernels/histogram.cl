// SPDX-License-Identifier: Apache-2.0
// Counts bytes: each work-group in local memory first, then once into the result.
kernel void histogram(global const uchar* restrict data, uint count, global uint* restrict bins) {
    local uint local_bins[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) local_bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&local_bins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        if (local_bins[i] != 0) atomic_add(&bins[i], local_bins[i]);
}
