// SPDX-License-Identifier: Apache-2.0
// Makes a picture of a frame with high dynamic range: what is too bright glows, and all of it gets the tones of a
// screen.
#define TAPS 96

kernel void bloom(read_only image2d_t frame, sampler_t smooth, write_only image2d_t picture, float threshold,
                  float strength) {
    const int2 at = {get_global_id(0), get_global_id(1)};
    const float2 size = convert_float2(get_image_dim(frame));
    const float2 place = (convert_float2(at) + 0.5f) / size;
    float4 glow = 0;
    for (int i = 0; i < TAPS; ++i) {
        const float angle = i * 2.3999632f, radius = 0.05f * sqrt((i + 0.5f) / TAPS);
        const float2 offset = {radius * cos(angle) * size.y / size.x, radius * sin(angle)};
        glow += fmax(read_imagef(frame, smooth, place + offset) - threshold, 0.0f);
    }
    const float4 light = read_imagef(frame, smooth, place) + glow * (strength / TAPS);
    float4 tone = sqrt(1 - exp(-1.5f * light));
    tone.w = 1;
    write_imagef(picture, at, tone);
}
