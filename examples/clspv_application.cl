// SPDX-License-Identifier: Apache-2.0
// Kernels as they are written for clspv: images, a sampler in the source, a buffer, and arguments by value.
constant sampler_t kSmooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

/// Turns the picture around a point, the more the nearer.
kernel void swirl(read_only image2d_t from, write_only image2d_t to, float2 centre, float strength) {
    const int2 at = {get_global_id(0), get_global_id(1)};
    const int2 size = get_image_dim(to);
    if (at.x >= size.x || at.y >= size.y) return;
    const float2 offset = (convert_float2(at) + 0.5f) / convert_float2(size) - centre;
    const float angle = strength * exp(-8 * dot(offset, offset)), s = sin(angle), c = cos(angle);
    const float2 turned = {c * offset.x - s * offset.y, s * offset.x + c * offset.y};
    write_imagef(to, at, read_imagef(from, kSmooth, centre + turned));
}

/// Counts how often each brightness of green occurs.
kernel void count(read_only image2d_t picture, global uint *counts, uint bins) {
    const int2 at = {get_global_id(0), get_global_id(1)};
    if (at.x >= get_image_width(picture) || at.y >= get_image_height(picture)) return;
    const uint bin = convert_uint(read_imagef(picture, at).y * bins);
    atomic_inc(&counts[min(bin, bins - 1)]);
}
