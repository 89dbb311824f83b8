// SPDX-License-Identifier: Apache-2.0
// A buffer that is chosen at run time is found by a branch over the kernel's buffers, by number plus 2; the program has no
// data segment, which would be 1.
// OPTIONS: --abi=descriptors
kernel void choose(global int *a, global int *b, int which) {
    global int *p = which ? a : b;
    p[which] = 1;
}
// CHECK: OpSelect %ulong
// CHECK: OpFunctionCall %void %caldera_store
// CHECK: OpShiftRightLogical %ulong
// CHECK: OpSwitch
// CHECK: 2 %
// CHECK: 3 %
// CHECK: OpStore
// CHECK: OpStore
// CHECK-NOT: OpStore
