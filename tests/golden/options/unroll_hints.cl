// SPDX-License-Identifier: Apache-2.0
// Hints to unroll reach a driver only where the turns are known and their copies are few.

// CHECK: %many = OpFunction
// CHECK: OpLoopMerge
// CHECK:  None
kernel void many(global float *out, float x) {
#pragma unroll
    for (int i = 0; i < 10000; i++) x = x * x + out[i];
    out[0] = x;
}
// CHECK: %unknown = OpFunction
// CHECK: OpLoopMerge
// CHECK:  None
kernel void unknown(global float *out, float x, int n) {
    __attribute__((opencl_unroll_hint(8)))
    for (int i = 0; i < n; i++) x = x * x + out[i];
    out[0] = x;
}
// CHECK: %nested = OpFunction
// CHECK: OpLoopMerge
// CHECK:  None
// CHECK: OpLoopMerge
// CHECK:  Unroll
kernel void nested(global float *out, float x) {
#pragma unroll
    for (int i = 0; i < 300; i++)
#pragma unroll
        for (int j = 0; j < 300; j++) x = x * x + out[i * j];
    out[0] = x;
}
// CHECK: %few = OpFunction
// CHECK-NOT: OpLoopMerge
kernel void few(global float *out, float x) {
#pragma unroll
    for (int i = 0; i < 16; i++) x = x * x + out[i];
    out[0] = x;
}
