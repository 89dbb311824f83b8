// SPDX-License-Identifier: Apache-2.0
// 0 - x of x = 0 is +0, where zeros keep their signs (SignedZeroInfNanPreserve): llvmpipe takes it for -x.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer Results { uvec2 results[]; };    // what came out, what should have
layout(binding = 1) readonly buffer Data { uint data[]; };  // 0, 1, 2, ...

spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
void main() {
    const uint g = gl_LocalInvocationIndex;
    results[g] = uvec2(floatBitsToUint(0.0 - float(data[0])), 0);
}
