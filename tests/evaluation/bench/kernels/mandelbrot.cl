// SPDX-License-Identifier: Apache-2.0
// Steps until z -> z^2 + c leaves the circle of radius 2.
kernel void mandelbrot(global uint* restrict counts, uint width, uint height, uint limit) {
    const uint x = get_global_id(0), y = get_global_id(1);
    const float2 c = (float2)(-2.25f + 3.0f * (float)x / (float)width, -1.0f + 2.0f * (float)y / (float)height);
    float2 z = (float2)(0.0f);
    uint steps = 0;
    while (steps < limit && dot(z, z) < 4.0f) {
        z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        ++steps;
    }
    counts[y * width + x] = steps;
}
