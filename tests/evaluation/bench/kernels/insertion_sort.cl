// SPDX-License-Identifier: Apache-2.0
// Each work-item sorts LENGTH numbers in private memory; number k of item i is at k * stride + i.
#define LENGTH 32

kernel void insertion_sort(global const uint* restrict in, global uint* restrict out) {
    const uint id = get_global_id(0), stride = get_global_size(0);
    uint values[LENGTH];
    for (uint i = 0; i < LENGTH; ++i) {
        const uint value = in[i * stride + id];
        uint at = i;
        while (at > 0 && values[at - 1] > value) {
            values[at] = values[at - 1];
            --at;
        }
        values[at] = value;
    }
    for (uint i = 0; i < LENGTH; ++i) out[i * stride + id] = values[i];
}
