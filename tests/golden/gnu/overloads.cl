// SPDX-License-Identifier: Apache-2.0
// Functions of one name are told apart by their symbols, which consumers of SPIR-V read off OpName.
// OPTIONS: --target=opencl1.2
// CHECK: OpName %_Z5scaleDv2_ff "_Z5scaleDv2_ff"
// CHECK: OpName %_Z5scalef "_Z5scalef"
float __attribute__((overloadable)) scale(float x) { return x * 2; }
float2 __attribute__((overloadable)) scale(float2 v, float x) { return v * scale(x); }
kernel void k(global float2 *p) { p[0] = scale(p[1], scale(3.0f)); }
