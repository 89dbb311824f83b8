// SPDX-License-Identifier: Apache-2.0
// On arm64, llvmpipe with LLVM 15 converts vectors of 64-bit integers to doubles, and these to floats: it rounds twice.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    // 2^62, and 1 + 2^38 more, which is just above half a step of 2^39; the double loses the 1.
    const uint64_t x = (1UL << 62) + (1UL << 38) + (data[g] & 1u);
    results[g] = uvec2(floatBitsToUint(float(x)), (189 << 23) + (g & 1u));
}
