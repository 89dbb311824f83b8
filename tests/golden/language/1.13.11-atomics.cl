// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// Scopes: 1 device, 2 work-group, 0 cross-device. Semantics: 2 acquire, 4 release, 8 both, 16 sequentially consistent, and
// 256 with local memory, 512 with global memory.
// CHECK: %counted = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_3
global atomic_int counted = ATOMIC_VAR_INIT(3);  // 1.13.11-6
// CHECK: %taken = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_0
global atomic_flag taken = ATOMIC_FLAG_INIT;  // 1.13.11-44, 1.13.11-31

// 1.13.11-27, 1.13.11-28, 1.13.11-29: each type where the extensions that it needs are on
kernel void types(global atomic_long *a, global atomic_ulong *b, global atomic_double *c, global atomic_intptr_t *d,
                  global atomic_uintptr_t *e, global atomic_size_t *f, global atomic_ptrdiff_t *g) {}

kernel void objects(global int *out, local atomic_int *l, global atomic_float *f, int x) {
    // 1.13.11-9
    // CHECK: OpStore
    // CHECK: Aligned 4
    atomic_init(l, x);
    // 1.13.11-4, 1.13.11-14, 1.13.11-26, 1.13.11-32
    // CHECK: OpAtomicStore
    // CHECK: %uint_1 %uint_16
    atomic_store(&counted, x);
    // 1.13.11-12, 1.13.11-18
    // CHECK: OpAtomicStore
    // CHECK: %uint_1 %uint_4
    atomic_store_explicit(&counted, x, memory_order_release);
    // 1.13.11-11, 1.13.11-17, 1.13.11-34
    // CHECK: OpAtomicLoad %uint
    // CHECK: %uint_2 %uint_2
    out[0] = atomic_load_explicit(&counted, memory_order_acquire, memory_scope_work_group);
    // 1.13.11-13, 1.13.11-19, 1.13.11-36
    // CHECK: OpAtomicExchange %uint
    // CHECK: %uint_0 %uint_8
    out[1] = atomic_exchange_explicit(&counted, x, memory_order_acq_rel, memory_scope_all_svm_devices);
    // 1.13.11-28
    // CHECK: OpAtomicLoad %float
    out[2] = atomic_load(f);
    int expected = x;
    // 1.13.11-10, 1.13.11-37
    // CHECK: OpAtomicCompareExchange %uint
    // CHECK: %uint_1 %uint_8 %uint_0
    // CHECK: OpIEqual %bool
    // CHECK: OpBranchConditional
    // CHECK: OpStore
    out[3] = atomic_compare_exchange_strong_explicit(&counted, &expected, 1, memory_order_acq_rel, memory_order_relaxed);
    // 1.13.11-38
    // CHECK: OpAtomicCompareExchangeWeak %uint
    out[4] = atomic_compare_exchange_weak(&counted, &expected, 1);
    // 1.13.11-41
    // CHECK: OpAtomicISub %uint
    out[5] = atomic_fetch_sub(l, 2);
    // CHECK: OpAtomicSMax %uint
    out[6] = atomic_fetch_max(&counted, 2);
    // 1.13.11-45
    // CHECK: OpAtomicFlagTestAndSet %bool
    out[7] = atomic_flag_test_and_set(&taken);
    // 1.13.11-46
    // CHECK: OpAtomicFlagClear
    atomic_flag_clear(&taken);
    // 1.13.11-16, 1.13.11-21
    // CHECK: OpMemoryBarrier %uint_2 %uint_776
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
}

// 1.13.11-42: the operand of an atomic_uintptr_t
kernel void pointers(global atomic_uintptr_t *p, long difference, ulong bits) {
    // CHECK: OpAtomicIAdd %ulong
    atomic_fetch_add(p, difference);
    // CHECK: OpAtomicOr %ulong
    atomic_fetch_or(p, bits);
}
