// SPDX-License-Identifier: Apache-2.0
// Kernels share no function that takes pointers to buffers, because their bindings differ; in each its buffer is known.
// OPTIONS: --abi=descriptors
int sum(global int *p, int n) {
    int total = 0;
    for (int i = 0; i < n; ++i) total += p[i] * (i % 7) + p[i + 1] * (i % 11) + p[2 * i] + p[3 * i] + p[5 * i];
    return total;
}
kernel void first(global int *in, global int *out) {
    out[0] = sum(in, 8);
    out[1] = sum(in + 1, 8);
}
kernel void second(global int *out, global int *in) {
    out[0] = sum(in, 8);
    out[1] = sum(in + 1, 8);
}
// CHECK-NOT: OpSwitch
// CHECK: OpFunctionCall %uint %sum %ulong_8589934592
// CHECK: OpFunctionCall %uint %sum %ulong_8589934596
// CHECK: %ulong_12884901888
// CHECK: %ulong_12884901892
// CHECK: OpAccessChain %_ptr_StorageBuffer_uint
// CHECK-NOT: OpSwitch
