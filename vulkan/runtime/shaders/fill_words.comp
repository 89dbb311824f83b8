// SPDX-License-Identifier: Apache-2.0
// Repeats a pattern of four words. WORD is of 4 or 16 bytes.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 128) in;
layout(buffer_reference, std430, buffer_reference_align = WORD_BYTES) buffer Words { WORD word[]; };
layout(push_constant, std430) uniform Block {
    Words to;
    uint count;
    layout(offset = 16) uvec4 pattern;
};
void main() {
    const uint invocations = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
#if WORD_BYTES == 16
    const WORD word = pattern;
#else
    const WORD word = pattern[gl_GlobalInvocationID.x % 4];  // so are all that this one writes: groups have a multiple of 4
#endif
    for (uint i = gl_GlobalInvocationID.x; i < count; i += invocations) to.word[i] = word;
}
