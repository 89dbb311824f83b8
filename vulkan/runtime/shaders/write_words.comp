// SPDX-License-Identifier: Apache-2.0
// Writes four words to an address that the host only knows as a number.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint word[4]; };
layout(push_constant, std430) uniform Block {
    Words to;
    uint word[4];
};
void main() {
    for (uint i = 0; i < 4; i++) to.word[i] = word[i];
}
