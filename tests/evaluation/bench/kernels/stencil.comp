// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 32, local_size_y = 8) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer In { float data_in[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Out { float data_out[]; };
layout(push_constant) uniform Block { int width, height; float weight; };
void main() {
    const int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
    const int i = y * width + x;
    // `precise` and fma: what OpenCL C keeps in order, and what it contracts.
    precise const float beside = data_in[i - 1] + data_in[i + 1] + data_in[i - width] + data_in[i + width];
    precise const float result = fma(weight, fma(-4.0, data_in[i], beside), data_in[i]);
    data_out[i] = result;
}
