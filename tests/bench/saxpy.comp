// SPDX-License-Identifier: Apache-2.0
// The twin of examples/saxpy.cl, as one writes it in GLSL: storage buffers by descriptor.
#version 460
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer X { float x[]; };
layout(set = 0, binding = 1, std430) restrict buffer Y { float y[]; };
layout(push_constant) uniform Block { float a; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    y[i] = a * x[i] + y[i];
}
