// SPDX-License-Identifier: Apache-2.0
// Escape times of z -> z^2 + c, coloured into packed RGB, and counted for the check.
uchar3 colour(uint steps, uint limit) {
    if (steps == limit) return (uchar3)(0, 0, 0);
    const float t = log2(1.0f + (float)steps) / log2(1.0f + (float)limit);
    const float3 rgb = 0.5f + 0.5f * cospi(2.0f * (t * (float3)(1.0f, 0.8f, 0.6f) + (float3)(0.5f, 0.6f, 0.7f)));
    return convert_uchar3_sat_rte(255.0f * rgb);
}

kernel void mandelbrot(global uchar* restrict pixels, global uint* restrict counts, uint width, uint height, uint limit) {
    const uint x = get_global_id(0), y = get_global_id(1);
    const float2 c = (float2)(-2.25f + 3.0f * (float)x / (float)width, -1.0f + 2.0f * (float)y / (float)height);
    float2 z = (float2)(0.0f);
    uint steps = 0;
    while (steps < limit && dot(z, z) < 4.0f) {
        z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        ++steps;
    }
    const uint i = y * width + x;
    counts[i] = steps;
    vstore3(colour(steps, limit), i, pixels);
}
