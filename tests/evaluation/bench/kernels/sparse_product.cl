// SPDX-License-Identifier: Apache-2.0
// y = A x, A in compressed sparse rows; a work-item has a row.
kernel void sparse_product(global const uint* restrict row_starts, global const uint* restrict columns,
                           global const float* restrict values, global const float* restrict x, global float* restrict y) {
    const uint row = get_global_id(0);
    float sum = 0.0f;
    for (uint k = row_starts[row]; k < row_starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}
