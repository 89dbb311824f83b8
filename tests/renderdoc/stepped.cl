// SPDX-License-Identifier: Apache-2.0
// RenderDoc steps through this: tests/renderdoc/step.py names the lines.
float square(float x, int turn) {
    float y = x * x;     // square
    return y + turn;     // return
}

__attribute__((reqd_work_group_size(8, 1, 1)))  // on llvmpipe, others test for padding
kernel void sums(global float *out, global const float *in, float factor) {
    size_t i = get_global_id(0);
    float sum = 0;
    for (int turn = 0; turn < 4; turn++) {
        float x = in[(i + turn) % 16];   // load
        sum += square(x, turn) * factor; // sum
    }
    out[i] = sum;        // store
}
