// clang's own names of the C11 atomics, and its conversions of half in memory.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void k(global atomic_int *a, global int *out, global half *h, global float *f, global double *d) {
    int e = 1;
    __opencl_atomic_init(a, 1);
    // CHECK: OpAtomicLoad %uint
    out[0] = __opencl_atomic_load(a, memory_order_acquire, memory_scope_device);
    // CHECK: OpAtomicStore
    __opencl_atomic_store(a, 2, memory_order_release, memory_scope_work_group);
    // CHECK: OpAtomicIAdd
    out[1] = __opencl_atomic_fetch_add(a, 3, memory_order_relaxed, memory_scope_device);
    // CHECK: OpAtomicSMax
    out[2] = __opencl_atomic_fetch_max(a, 3, memory_order_relaxed, memory_scope_device);
    // CHECK: OpAtomicCompareExchange
    out[3] = __opencl_atomic_compare_exchange_strong(a, &e, 3, memory_order_acq_rel, memory_order_acquire,
                                                     memory_scope_device);
    f[0] = __builtin_load_halff(h);        // CHECK: OpExtInst %float %1 vload_half
    d[0] = __builtin_load_half(h);         // CHECK: OpFConvert %double
    __builtin_store_halff(f[0], h + 1);    // CHECK: OpExtInst %void %1 vstore_half
    __builtin_store_half(d[0], h + 2);     // CHECK: OpExtInst %void %1 vstore_half
}
kernel void constant_objects(const global atomic_int *a, const volatile global atomic_long *l, global long *out) {
    // CHECK: OpAtomicLoad %uint
    out[0] = __opencl_atomic_load(a, memory_order_relaxed, memory_scope_device);
    // CHECK: OpAtomicLoad %ulong
    out[1] = __opencl_atomic_load(l, memory_order_relaxed, memory_scope_device);
}
