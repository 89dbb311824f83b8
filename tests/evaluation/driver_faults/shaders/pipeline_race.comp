// SPDX-License-Identifier: Apache-2.0
// What pipeline_race runs: code that is different for each kValue, in length too.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint kValue = 0;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(push_constant) uniform Arguments { Words to; };

void main() {
    const uint i = gl_GlobalInvocationID.x;
    uint x = kValue + i;
    for (uint turn = 0; turn < kValue % 24; ++turn) x = (x ^ (kValue + turn)) * (2 * kValue + 1);
    to.words[i] = x;
}
