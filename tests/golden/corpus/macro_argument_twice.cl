// SPDX-License-Identifier: Apache-2.0
// A macro's argument puts several tokens at one place of the source; each of them begins a statement of its own
// (piglit's atomic tests, hashcat's MD5_STEP).
// OPTIONS: --target=opencl1.2
#define STEP(TYPE, a, b) \
    TYPE x = a;          \
    TYPE y = b;          \
    a = x + y;           \
    a ^= y;
kernel void twice(global int *out, int a, int b) {
    STEP(int, a, b)
    *out = a;
}
// CHECK: OpFunction
// CHECK: OpIAdd
// CHECK: OpBitwiseXor
// CHECK: OpReturn
