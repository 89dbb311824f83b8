// SPDX-License-Identifier: Apache-2.0
// What every atomic type has, on an object of type A whose plain type is C, in SPACE, by one work-item;
// `unit` is a value whose small multiples are values of C. Included once for each A and SPACE.

#undef MUST
#define MUST(condition) wrong = max(wrong, (condition) ? 0u : (uint)__LINE__)

__attribute__((overloadable)) void values(global uint* record, volatile SPACE A* a, C unit) {
    uint wrong = 0;
    atomic_init(a, unit);          // 1.13.11-9
    MUST(atomic_load(a) == unit);  // 1.13.11-34
    MUST(atomic_load_explicit(a, memory_order_acquire) == unit);
    MUST(atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group) == unit);
    atomic_store(a, unit * 2);  // 1.13.11-32
    MUST(atomic_load(a) == unit * 2);
    atomic_store_explicit(a, unit * 3, memory_order_release);
    MUST(atomic_load(a) == unit * 3);
    atomic_store_explicit(a, unit * 4, memory_order_relaxed, memory_scope_work_group);
    MUST(atomic_exchange(a, unit * 5) == unit * 4);  // 1.13.11-36
    MUST(atomic_exchange_explicit(a, unit * 6, memory_order_acq_rel) == unit * 5);
    MUST(atomic_exchange_explicit(a, unit * 7, memory_order_acquire, memory_scope_device) == unit * 6);

    C expected = unit;  // 1.13.11-37: what is found replaces what was expected
    MUST(!atomic_compare_exchange_strong(a, &expected, unit * 8));
    MUST(expected == unit * 7);
    MUST(atomic_compare_exchange_strong(a, &expected, unit * 8));
    MUST(expected == unit * 7);
    MUST(!atomic_compare_exchange_strong_explicit(a, &expected, unit, memory_order_acq_rel,
                                                  memory_order_acquire));
    MUST(expected == unit * 8);
    MUST(atomic_compare_exchange_strong_explicit(a, &expected, unit * 9, memory_order_release,
                                                 memory_order_relaxed, memory_scope_work_group));
    MUST(atomic_load(a) == unit * 9);

    // 1.13.11-38: may fail for no reason
    while (!atomic_compare_exchange_weak(a, &expected, unit * 10)) MUST(expected == unit * 9);
    while (!atomic_compare_exchange_weak_explicit(a, &expected, unit * 11, memory_order_seq_cst,
                                                  memory_order_seq_cst))
        MUST(expected == unit * 10);
    while (!atomic_compare_exchange_weak_explicit(a, &expected, unit * 12, memory_order_acquire,
                                                  memory_order_relaxed, memory_scope_device))
        MUST(expected == unit * 11);
    MUST(atomic_load(a) == unit * 12);
    ASSERT(0, wrong);  // else the line
}
