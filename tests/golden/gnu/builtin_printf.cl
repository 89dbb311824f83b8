// SPDX-License-Identifier: Apache-2.0
// clang's name of printf, which every version has.
// OPTIONS: --target=opencl1.2 -cl-std=CL1.0
kernel void k(global const float *p) {
    __builtin_printf("%f", p[0]);
    // CHECK: OpExtInst %uint %1 printf
}
