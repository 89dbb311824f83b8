// SPDX-License-Identifier: Apache-2.0
// The function that adds floats by compare and exchange gets the element's index: no offset in bytes is made and undone.
// OPTIONS: --abi=descriptors -cl-std=CL3.0
kernel void sums(global const uint *cells, global float *sums) {
    atomic_fetch_add_explicit((volatile global atomic_float *)&sums[cells[get_global_id(0)]], 1.0f, memory_order_relaxed,
                              memory_scope_device);
}
// CHECK-NOT: OpIMul
// CHECK: OpFunctionCall %uint
// CHECK-NOT: OpShiftRightLogical
// CHECK: OpAtomicCompareExchange
