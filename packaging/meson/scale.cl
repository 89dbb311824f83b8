// SPDX-License-Identifier: Apache-2.0
kernel void scale(global float *data, float factor) {
    size_t i = get_global_id(0);
    data[i] = data[i] * factor;
}
