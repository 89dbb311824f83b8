// SPDX-License-Identifier: Apache-2.0
// Every fetch function (1.13.11-41) on an object of the integer type A whose plain type is C, in SPACE, by
// one work-item; `unit` is 1 in each of C's words. Included once for each A and SPACE.

#undef MUST
#define MUST(condition) wrong = max(wrong, (condition) ? 0u : (uint)__LINE__)
#undef FETCH
// In its three forms, from the value `before` to `after`.
#define FETCH(key, before, operand, after)                                                           \
    atomic_store(a, before);                                                                         \
    MUST(atomic_fetch_##key(a, operand) == (before));                                                \
    MUST(atomic_exchange(a, before) == (after));                                                     \
    MUST(atomic_fetch_##key##_explicit(a, operand, memory_order_acq_rel) == (before));               \
    MUST(atomic_exchange(a, before) == (after));                                                     \
    MUST(atomic_fetch_##key##_explicit(a, operand, memory_order_relaxed, memory_scope_work_group) == \
         (before));                                                                                  \
    MUST(atomic_load(a) == (after))

__attribute__((overloadable)) void fetches(global uint* record, volatile SPACE A* a, C unit) {
    uint wrong = 0;
    const C minus = -unit, least = (C)-1 < 0 ? (C)1 << (sizeof(C) * 8 - 1) : 0, most = ~least;
    FETCH(add, unit * 7, unit * 5, unit * 12);
    FETCH(add, most, (C)1, least);  // wraps, signed ones too
    FETCH(sub, unit * 7, unit * 5, unit * 2);
    FETCH(sub, least, (C)1, most);
    FETCH(or, unit * 10, unit * 3, unit * 11);
    FETCH(xor, unit * 10, unit * 3, unit * 9);
    FETCH(and, unit * 10, unit * 3, unit * 2);
    FETCH(min, unit * 7, unit * 5, unit * 5);
    FETCH(min, unit, minus, (C)-1 < 0 ? minus : unit);
    FETCH(max, unit * 7, unit * 5, unit * 7);
    FETCH(max, unit, minus, (C)-1 < 0 ? unit : minus);
    ASSERT(0, wrong);  // else the line
}
