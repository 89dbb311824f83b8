// SPDX-License-Identifier: Apache-2.0
// Copies words from one address to another. WORD is of 4 or 16 bytes; LOADS are on their way before the first store.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 128) in;
layout(buffer_reference, std430, buffer_reference_align = WORD_BYTES) buffer Words { WORD word[]; };
layout(push_constant, std430) uniform Block {
    Words from, to;
    uint count;
};
void main() {
    const uint invocations = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += LOADS * invocations) {
        WORD words[LOADS];
        for (uint k = 0; k < LOADS; k++)
            if (i + k * invocations < count) words[k] = from.word[i + k * invocations];
        for (uint k = 0; k < LOADS; k++)
            if (i + k * invocations < count) to.word[i + k * invocations] = words[k];
    }
}
