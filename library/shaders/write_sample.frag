// SPDX-License-Identifier: Apache-2.0
// One number in all channels, which are COLOR: vec4, ivec4 or uvec4 (library/write_samples.h).
#version 460
layout(push_constant) uniform Numbers {
    float number, depth;
};
layout(location = 0) out COLOR color;
void main() { color = COLOR(number); }
