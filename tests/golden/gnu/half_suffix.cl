// SPDX-License-Identifier: Apache-2.0
// f16, clang's suffix of _Float16, makes a half, in either case and with every form of number.
// OPTIONS: --target=opencl2.0 -cl-std=CL1.2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void entry(global half *out) {
    out[0] = 1.5f16 / out[0];  // CHECK: %half_0x1_8p_0 = OpConstant %half 0x1.8p+0
    out[1] = .25F16 + out[1];  // CHECK: %half_0x1pn2 = OpConstant %half 0x1p-2
    out[2] = 0x1p3f16;         // CHECK: %half_0x1p_3 = OpConstant %half 0x1p+3
    out[3] = sizeof(2e0f16);   // CHECK: %half_0x1p_1 = OpConstant %half 0x1p+1
}
