// SPDX-License-Identifier: Apache-2.0
// The wave equation on a square of side n with fixed edges; the five-point stencil, and a picture of the height.
kernel void step_wave(global const float* restrict previous, global const float* restrict current, global float* restrict next,
                      int n, float c) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    const int i = y * n + x;
    const float laplacian = current[i - 1] + current[i + 1] + current[i - n] + current[i + n] - 4.0f * current[i];
    next[i] = 2.0f * current[i] - previous[i] + c * laplacian;
}

constant float3 kDeep = (float3)(0.02f, 0.05f, 0.20f), kFoam = (float3)(0.95f, 0.98f, 1.00f);

kernel void draw_wave(global const float* restrict height, global uchar* restrict pixels) {
    const size_t i = get_global_id(0);
    const float t = smoothstep(-0.6f, 0.6f, height[i]);
    vstore3(convert_uchar3_sat_rte(255.0f * mix(kDeep, kFoam, t)), i, pixels);
}
