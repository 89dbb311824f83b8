// SPDX-License-Identifier: Apache-2.0
// packHalf2x16() takes floats that were integers. Where the processor has no F16C, llvmpipe 22.3 takes halves for
// integers, and its compiler ends the process ("Cannot select: v4i16 = fp_round", on arm64).
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

void main() {
    const uint g = gl_LocalInvocationIndex;
    const int n = int(g) + 1, exponent = findMSB(n);
    const uint half_bits = uint(15 + exponent) << 10 | (uint(n) << (10 - exponent) & 1023u);
    results[g] = uvec2(packHalf2x16(vec2(float(int(data[g]) + 1), 0)), half_bits);
}
