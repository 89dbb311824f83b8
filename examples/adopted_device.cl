// SPDX-License-Identifier: Apache-2.0
// Bright parts of a frame glow: each pixel gets the light of those around it.
kernel void glow(global const uchar4 *frame, global uchar4 *result, int2 size) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 light = 0;
    for (int y = -4; y <= 4; ++y)
        for (int x = -4; x <= 4; ++x) {
            int2 near = clamp(at + (int2)(x, y), 0, size - 1);
            uint4 colour = convert_uint4(frame[near.y * size.x + near.x]);
            if (max(max(colour.x, colour.y), colour.z) >= 200) light += colour;
        }
    int i = at.y * size.x + at.x;
    result[i] = convert_uchar4_sat(convert_uint4(frame[i]) + 2 * light / 81);
}
