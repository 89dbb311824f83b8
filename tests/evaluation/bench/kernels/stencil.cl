// SPDX-License-Identifier: Apache-2.0
// One step of diffusion on a grid with fixed edges: the five-point stencil.
kernel void stencil(global const float* restrict in, global float* restrict out, int width, int height, float weight) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
    const int i = y * width + x;
    out[i] = in[i] + weight * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
}
