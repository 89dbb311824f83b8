// SPDX-License-Identifier: Apache-2.0
// -cl-unsafe-math-optimizations: Vulkan's own precision suffices, and it implies -cl-mad-enable.
// OPTIONS: -cl-unsafe-math-optimizations
kernel void k(global float *out, float a, float b) {
    float product = a * b;
    out[0] = product + exp(a);
}
// CHECK: OpEntryPoint
// CHECK-NOT: NoContraction
// CHECK: Exp %
// CHECK: OpFunctionEnd
