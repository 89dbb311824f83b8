// OPTIONS: -cl-std=CL2.0
kernel void calls(global atomic_int *p, global int *plain, constant atomic_int *fixed, global atomic_uintptr_t *u) {
    atomic_store(plain, 1);  // 1.13.11-3
    atomic_store(p, plain);
    atomic_store(fixed, 1);
    atomic_load(p, memory_order_relaxed);  // 1.13.11-34
    atomic_fetch_add(u, 1);                // 1.13.11-42: no operand type is better
    atomic_fetch_add(u, (ptrdiff_t)1);
    atomic_load_explicit(p, memory_order_consume);  // 1.13.11-1
}

// clang 15 is silent about these: its functions are declared in a header.
kernel void orders(global atomic_int *p, global atomic_flag *flag, int y) {
    // 1.13.11-33
    atomic_store_explicit(p, 1, memory_order_acquire);
    atomic_store_explicit(p, 1, memory_order_acq_rel, memory_scope_device);
    // 1.13.11-35
    atomic_load_explicit(p, memory_order_release);
    // 1.13.11-39
    atomic_compare_exchange_strong_explicit(p, &y, 1, memory_order_acq_rel, memory_order_release);
    atomic_compare_exchange_weak_explicit(p, &y, 1, memory_order_relaxed, memory_order_acquire);
    // 1.13.11-46
    atomic_flag_clear_explicit(flag, memory_order_acquire);
    // what they take
    atomic_store_explicit(p, 1, memory_order_release);
    atomic_load_explicit(p, memory_order_seq_cst);
    atomic_compare_exchange_strong_explicit(p, &y, 1, memory_order_acq_rel, memory_order_acquire);
}
