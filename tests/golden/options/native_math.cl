// SPDX-License-Identifier: Apache-2.0
// -cl-native-math is clspv's, and means -cl-fast-relaxed-math.
// OPTIONS: -cl-native-math
kernel void k(global float *out, float a, float b) {
    float product = a * b;
#ifdef __FAST_RELAXED_MATH__
    out[0] = product + sin(a);
#endif
}
// CHECK: OpEntryPoint
// CHECK-NOT: NoContraction
// CHECK: Sin %
// CHECK: OpFunctionEnd
