// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer RowStarts { uint row_starts[]; };
layout(set = 0, binding = 1, std430) readonly restrict buffer Columns { uint columns[]; };
layout(set = 0, binding = 2, std430) readonly restrict buffer Values { float values[]; };
layout(set = 0, binding = 3, std430) readonly restrict buffer X { float x[]; };
layout(set = 0, binding = 4, std430) writeonly restrict buffer Y { float y[]; };
void main() {
    const uint row = gl_GlobalInvocationID.x;
    precise float sum = 0.0;  // `precise` and fma: what OpenCL C keeps in order, and what it contracts
    for (uint k = row_starts[row]; k < row_starts[row + 1]; ++k) sum = fma(values[k], x[columns[k]], sum);
    y[row] = sum;
}
