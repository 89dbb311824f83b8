// SPDX-License-Identifier: Apache-2.0
// Mesa compares an extended int with a 64-bit constant in 32 bits where the constant has them, but takes -2^31 for 2^31.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    const int64_t x = int64_t(int(data[g]) - 8);
    results[g] = uvec2(x < 5L ? 1 : 0, g < 13 ? 1 : 0);
}
