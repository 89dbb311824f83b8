// SPDX-License-Identifier: Apache-2.0
// Every order in every scope, of every function that takes them, and of fences with all flags: 1.13.11-10 to 1.13.11-24. What
// orders forbid is litmus.cpp's.
// OPTIONS: -cl-std=CL2.0
// RUN: global=40 local=20
#include "assert.h"

#define SCOPES(order, ...)                                       \
    __VA_ARGS__(memory_order_##order, memory_scope_work_group);      \
    __VA_ARGS__(memory_order_##order, memory_scope_device);          \
    __VA_ARGS__(memory_order_##order, memory_scope_all_svm_devices)
#define LOADS(...) SCOPES(relaxed, __VA_ARGS__); SCOPES(acquire, __VA_ARGS__); SCOPES(seq_cst, __VA_ARGS__)   // 1.13.11-35
#define STORES(...) SCOPES(relaxed, __VA_ARGS__); SCOPES(release, __VA_ARGS__); SCOPES(seq_cst, __VA_ARGS__)  // 1.13.11-33
#define ALL(...)                                                                                  \
    SCOPES(relaxed, __VA_ARGS__); SCOPES(acquire, __VA_ARGS__); SCOPES(release, __VA_ARGS__);     \
    SCOPES(acq_rel, __VA_ARGS__); SCOPES(seq_cst, __VA_ARGS__)

#define STORE(order, scope) atomic_store_explicit(a, ++n, order, scope); wrong |= atomic_load(a) ^ n
#define LOAD(order, scope) wrong |= atomic_load_explicit(a, order, scope) ^ n
#define EXCHANGE(order, scope) wrong |= atomic_exchange_explicit(a, n + 1, order, scope) ^ n; n++
#define ADD(order, scope) wrong |= atomic_fetch_add_explicit(a, 3, order, scope) ^ n; n += 3
#define SUB(order, scope) wrong |= atomic_fetch_sub_explicit(a, 1, order, scope) ^ n; n -= 1
#define OR(order, scope) wrong |= atomic_fetch_or_explicit(a, 256, order, scope) ^ n; n |= 256
#define XOR(order, scope) wrong |= atomic_fetch_xor_explicit(a, 5, order, scope) ^ n; n ^= 5
#define AND(order, scope) wrong |= atomic_fetch_and_explicit(a, ~4, order, scope) ^ n; n &= ~4
#define MIN(order, scope) wrong |= atomic_fetch_min_explicit(a, n - 1, order, scope) ^ n; n--
#define MAX(order, scope) wrong |= atomic_fetch_max_explicit(a, n + 2, order, scope) ^ n; n += 2
// 1.13.11-39: a failure is ordered no more than a success
#define COMPARE(order, scope)                                                                                 \
    expected = n;                                                                                             \
    wrong |= !atomic_compare_exchange_strong_explicit(a, &expected, n + 1, order, memory_order_relaxed, scope); \
    wrong |= atomic_compare_exchange_strong_explicit(a, &expected, 0, order, memory_order_relaxed, scope);      \
    wrong |= expected ^ ++n
#define COMPARE_ACQUIRE(order, scope)                                                                          \
    while (!atomic_compare_exchange_weak_explicit(a, &n, n + 1, order, memory_order_acquire, scope)) wrong = 1; \
    n++
#define COMPARE_SEQ_CST(order, scope)                                                                          \
    wrong |= !atomic_compare_exchange_strong_explicit(a, &n, n + 1, order, memory_order_seq_cst, scope); n++

#define CHECK(SPACE)                                                                                   \
    __attribute__((overloadable)) void check(global uint *record, volatile SPACE atomic_int *a, int n) { \
        int wrong = 0, expected;                                                                       \
        atomic_init(a, n);                                                                             \
        STORES(STORE); LOADS(LOAD); ALL(EXCHANGE); ALL(ADD); ALL(SUB); ALL(OR); ALL(XOR); ALL(AND); ALL(MIN); ALL(MAX); \
        ALL(COMPARE); SCOPES(acquire, COMPARE_ACQUIRE); SCOPES(acq_rel, COMPARE_ACQUIRE);              \
        SCOPES(seq_cst, COMPARE_SEQ_CST);                                                              \
        ASSERT(0, wrong);                                                                              \
    }
CHECK(global) CHECK(local) CHECK(generic)

kernel void test_global(global uint *record, global int *in, global atomic_int *a) {
    check(record, a + get_global_id(0), in[get_global_id(0)]);
}
kernel void test_local(global uint *record, global int *in) {
    local atomic_int a[20];
    check(record, a + get_local_id(0), in[get_global_id(0)]);
}
kernel void test_generic(global uint *record, global int *in, global atomic_int *there) {
    local atomic_int here[20];
    check(record, in[get_global_id(0)] & 1 ? (generic atomic_int *)&here[get_local_id(0)] : &there[get_global_id(0)], in[7]);
}

#define TAKE(order, scope) wrong |= atomic_flag_test_and_set_explicit(flag, order, scope) ^ n; n = 1
#define CLEAR(order, scope)                                                                    \
    atomic_flag_clear_explicit(flag, order, scope); wrong |= atomic_flag_test_and_set(flag)
kernel void test_flags(global uint *record, global atomic_flag *flags) {
    local atomic_flag here[20];
    uint wrong = 0, n = 0;
    global atomic_flag *flag = &flags[get_global_id(0)];
    atomic_flag_clear(flag);
    ALL(TAKE); STORES(CLEAR);
    {
        local atomic_flag *flag = &here[get_local_id(0)];
        atomic_flag_clear(flag);
        n = 0;
        ALL(TAKE); STORES(CLEAR);
    }
    ASSERT(0, wrong);
}

// Each fence lies between writes and reads of one work-item, which see them in any order.
#define FENCE(order, scope) atomic_work_item_fence(flags, order, scope); wrong |= *seen ^ n; *seen = ++n
kernel void test_fences(global uint *record, global int *in, volatile global int *places) {
    volatile global int *seen = &places[get_global_id(0)];
    int wrong = 0, n = in[get_global_id(0)];
#define flags CLK_GLOBAL_MEM_FENCE
    ALL(FENCE);
#undef flags
#define flags CLK_LOCAL_MEM_FENCE
    ALL(FENCE);
#undef flags
#define flags CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE  // 1.13.11-23
    ALL(FENCE);
#undef flags
#define flags CLK_IMAGE_MEM_FENCE  // 1.13.11-16
    ALL(FENCE);
    FENCE(memory_order_acq_rel, memory_scope_work_item);
#undef flags
    ASSERT(0, wrong);
}
