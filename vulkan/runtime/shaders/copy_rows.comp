// SPDX-License-Identifier: Apache-2.0
// Copies rows that lie evenly, and slices of rows, from one address to another. WORD is of 1 or 4 bytes; sizes and
// pitches are in words.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_8bit_storage : enable
layout(local_size_x = 128) in;
layout(buffer_reference, std430, buffer_reference_align = WORD_BYTES) buffer Words { WORD word[]; };
layout(push_constant, std430) uniform Block {
    Words from, to;
    uint count, size, rows;
    uint from_row, from_slice, to_row, to_slice;
};
void main() {
    const uint invocations = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += invocations) {
        const uint x = i % size, row = i / size % rows, slice = i / size / rows;
        to.word[slice * to_slice + row * to_row + x] = from.word[slice * from_slice + row * from_row + x];
    }
}
