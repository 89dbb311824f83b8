// SPDX-License-Identifier: Apache-2.0
// memcpy takes pointers to any address spaces; memset copies from a constant, memmove by way of a copy.
// OPTIONS: --target=opencl1.2
kernel void memory(global int *out, constant int *in, int n) {
    int a[4], b[4];
    __builtin_memcpy(a, in, sizeof a);   // CHECK: OpCopyMemorySized
    __builtin_memcpy(b, a, n);           // CHECK: OpCopyMemorySized
    __builtin_memset(b, 0, 8);           // CHECK: %ulong_8 Aligned 1
    __builtin_memmove(out, b, 12);       // CHECK: %ulong_12 Aligned 1
                                         // CHECK: %ulong_12 Aligned 1
}
kernel void fill(global char *out, int value, int n) {
    __builtin_memset(out, value, n);  // CHECK: OpLoopMerge
                                      // CHECK: Aligned 1
}
