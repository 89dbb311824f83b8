// gcc's and clang's atomic functions on objects of plain types.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define HAS(name) _Static_assert(__has_builtin(name), #name);
#define HAS_ATOMIC(name) HAS(__atomic_##name) HAS(__scoped_atomic_##name)
#define HAS_OPERATION(name) HAS_ATOMIC(fetch_##name) HAS_ATOMIC(name##_fetch)
HAS_ATOMIC(load_n) HAS_ATOMIC(load) HAS_ATOMIC(store_n) HAS_ATOMIC(store) HAS_ATOMIC(exchange_n) HAS_ATOMIC(exchange)
HAS_ATOMIC(compare_exchange_n) HAS_ATOMIC(compare_exchange) HAS_ATOMIC(thread_fence)
HAS_OPERATION(add) HAS_OPERATION(sub) HAS_OPERATION(and) HAS_OPERATION(or) HAS_OPERATION(xor) HAS_OPERATION(nand)
HAS_OPERATION(min) HAS_OPERATION(max) HAS(__atomic_test_and_set) HAS(__atomic_clear) HAS(__atomic_signal_fence)
#define HAS_SYNC(name) HAS(__sync_fetch_and_##name) HAS(__sync_##name##_and_fetch)
HAS_SYNC(add) HAS_SYNC(sub) HAS_SYNC(and) HAS_SYNC(or) HAS_SYNC(xor) HAS_SYNC(nand)
HAS(__sync_fetch_and_min) HAS(__sync_fetch_and_max) HAS(__sync_fetch_and_umin) HAS(__sync_fetch_and_umax)
HAS(__sync_bool_compare_and_swap) HAS(__sync_val_compare_and_swap) HAS(__sync_swap) HAS(__sync_synchronize)
HAS(__sync_lock_test_and_set) HAS(__sync_lock_release) HAS(__sync_fetch_and_add_4) HAS(__sync_lock_release_16)
HAS(__atomic_always_lock_free) HAS(__atomic_is_lock_free) HAS(__c11_atomic_is_lock_free)

kernel void k(global int *p, global uint *u, local int *l, global int *out, global float *f) {
    int e = 1;
    // CHECK: OpAtomicLoad %uint
    out[0] = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    // CHECK: OpAtomicStore
    __scoped_atomic_store_n(p, 2, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
    // CHECK: OpAtomicIAdd %uint
    out[1] = __atomic_fetch_add(p, 3, __ATOMIC_RELAXED);
    // CHECK: OpAtomicISub %uint
    // CHECK: OpISub
    out[2] = __atomic_sub_fetch(l, 3, __ATOMIC_RELAXED);
    // CHECK: OpAtomicUMax
    out[3] = __atomic_fetch_max(u, 3, __ATOMIC_RELAXED);
    // CHECK: OpAtomicSMin
    out[4] = __sync_fetch_and_min(p, 3);
    // CHECK: %uint_8 %uint_2
    out[5] = __atomic_compare_exchange_n(p, &e, 3, true, __ATOMIC_ACQ_REL, __ATOMIC_CONSUME);
    // CHECK: %uint_16 %uint_16
    out[6] = __sync_bool_compare_and_swap(p, 1, 2);
    // CHECK: OpNot
    // CHECK: OpAtomicCompareExchange %uint
    out[7] = __atomic_fetch_nand(p, 5, __ATOMIC_RELAXED);
    // CHECK: OpFAdd %float
    // CHECK: OpAtomicCompareExchange %uint
    f[0] = __atomic_add_fetch(f, 1.0f, __ATOMIC_RELAXED);
    // CHECK: %uint_2832
    __sync_synchronize();
    // CHECK-NOT: OpMemoryBarrier
    __atomic_thread_fence(__ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
