// SPDX-License-Identifier: Apache-2.0
// The mathematics of gcc's __builtin_ functions are OpenCL.std's, and their constants are constants.
// OPTIONS: --target=opencl1.2
constant float infinity = __builtin_inff();
kernel void math(global float *out, global int *tests, float x) {
    out[0] = __builtin_sqrtf(x);             // CHECK: OpExtInst %float %1 sqrt
    out[1] = __builtin_fmaf(x, x, 1);        // CHECK: OpExtInst %float %1 fma
    out[2] = __builtin_copysignf(x, -1.0f);  // CHECK: OpExtInst %float %1 copysign
    out[3] = __builtin_powf(x, 2);           // CHECK: OpExtInst %float %1 pow
    out[4] = infinity + __builtin_huge_valf() + __builtin_nanf("");
    tests[0] = __builtin_isnan(x);        // CHECK: OpIsNan %bool
    tests[1] = __builtin_isinf(x);        // CHECK: OpIsInf %bool
    tests[2] = __builtin_isless(x, 2.0f);  // CHECK: OpFOrdLessThan %bool
    tests[3] = __builtin_signbit(x);      // CHECK: OpSignBitSet %bool
}
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void small(global half *out, global int *exponent, half x) {
    out[0] = __builtin_fabsf16(x);                 // CHECK: OpExtInst %half %1 fabs
    out[1] = __builtin_frexpf(x, exponent);        // CHECK: OpExtInst %float %1 frexp
}
