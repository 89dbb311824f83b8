// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, std430) writeonly restrict buffer Counts { uint counts[]; };
layout(push_constant) uniform Block { uint width, height, limit; };
void main() {
    const uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
    const vec2 c = vec2(-2.25 + 3.0 * float(x) / float(width), -1.0 + 2.0 * float(y) / float(height));
    precise vec2 z = vec2(0.0);  // `precise` and fma: what OpenCL C keeps in order, and what it contracts
    uint steps = 0;
    while (steps < limit && fma(z.x, z.x, z.y * z.y) < 4.0) {
        z = vec2(fma(z.x, z.x, -(z.y * z.y)), 2.0 * z.x * z.y) + c;
        ++steps;
    }
    counts[y * width + x] = steps;
}
