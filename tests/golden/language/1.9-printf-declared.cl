// SPDX-License-Identifier: Apache-2.0
// A program that declares printf means the built-in function. 1.9-13
// OPTIONS: --target=opencl1.2
int printf(constant const char *format, ...);
kernel void speak(int x) { printf("%d\n", x); }  // CHECK: OpExtInst %uint %1 printf
