// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer X { vec4 x[]; };
layout(set = 0, binding = 1, std430) restrict buffer Y { vec4 y[]; };
layout(push_constant) uniform Block { float a; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    y[i] = a * x[i] + y[i];
}
