// SPDX-License-Identifier: Apache-2.0
// A triangle that covers an image, at one depth (library/write_samples.h).
#version 460
layout(push_constant) uniform Numbers {
    float number, depth;
};
void main() {
    gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, depth, 1);
}
