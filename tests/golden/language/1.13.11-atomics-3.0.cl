// OPTIONS: --target=opencl2.0 -cl-std=CL3.0 -cl-ext=+__opencl_c_generic_address_space,+__opencl_c_atomic_order_seq_cst,+__opencl_c_atomic_scope_device,+__opencl_c_atomic_order_acq_rel
// With the generic address space OpenCL C 3.0 has the functions of named spaces as well (6.15.12): these fit better.
// CHECK-NOT: OpPtrCastToGeneric
kernel void named(global atomic_int *g, local atomic_uint *l, global int *out) {
    // CHECK: OpAtomicStore
    atomic_store(g, 1);
    // CHECK: OpAtomicStore
    atomic_store_explicit(l, 1, memory_order_release, memory_scope_work_group);
    // CHECK: OpAtomicLoad
    out[0] = atomic_load(g);
    // CHECK: OpAtomicIAdd
    out[1] = atomic_fetch_add(l, 2);
    int expected = 3;
    // CHECK: OpAtomicCompareExchange
    out[2] = atomic_compare_exchange_strong(g, &expected, 4);
}
// An order that is not constant becomes the strongest, a scope the widest that the device has.
kernel void run_time(global atomic_int *g, int order, int scope) {
    // CHECK: OpAtomicStore
    // CHECK: %uint_0 %uint_16 %uint_1
    atomic_store_explicit(g, 1, order, scope);
}
