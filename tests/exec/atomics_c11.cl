// SPDX-License-Identifier: Apache-2.0
// The atomic functions of OpenCL C 2.0 on the types of 32 bits, in every space: 1.13.11.
// OPTIONS: -cl-std=CL2.0
// RUN: global=64 local=16
#include "assert.h"

// 1.13.11-26, 1.13.11-28
#define A atomic_int
#define C int
#define SPACE global
#include "atomic_values.h"
#include "atomic_fetch.h"
#undef SPACE
#define SPACE local
#include "atomic_values.h"
#include "atomic_fetch.h"
#undef SPACE
#define SPACE generic
#include "atomic_values.h"
#include "atomic_fetch.h"
#undef A
#undef C
#define A atomic_uint
#define C uint
#include "atomic_values.h"
#include "atomic_fetch.h"
#undef SPACE
#define SPACE local
#include "atomic_values.h"
#include "atomic_fetch.h"
#undef SPACE
#define SPACE global
#include "atomic_values.h"
#include "atomic_fetch.h"
#undef A
#undef C
#define A atomic_float
#define C float
#include "atomic_values.h"
#undef SPACE
#define SPACE local
#include "atomic_values.h"
#undef SPACE
#define SPACE generic
#include "atomic_values.h"

// in[] holds 0, 1, 2, …; each work-item has an object of its own. 1.13.11-30
kernel void test_global(global uint *record, global int *in, global atomic_int *i, global atomic_uint *u,
                        global atomic_float *f) {
    size_t id = get_global_id(0);
    int unit = in[1];
    values(record, i + id, unit);
    fetches(record, i + id, unit);
    values(record, u + id, (uint)unit);
    fetches(record, u + id, (uint)unit);
    values(record, f + id, unit * 0.1f);
}

kernel void test_local(global uint *record, global int *in, local atomic_uint *u) {
    local atomic_int i[16];
    local atomic_float f[16];
    size_t id = get_local_id(0);
    int unit = in[1];
    values(record, i + id, unit);
    fetches(record, i + id, unit);
    values(record, u + id, (uint)unit);
    fetches(record, u + id, (uint)unit);
    values(record, f + id, unit * 0.1f);
}

// Pointers whose space is known at run time only.
kernel void test_generic(global uint *record, global int *in, global atomic_int *there_i, global atomic_uint *there_u,
                         global atomic_float *there_f) {
    local atomic_int here_i[16];
    local atomic_uint here_u[16];
    local atomic_float here_f[16];
    size_t id = get_global_id(0), mine = get_local_id(0);
    bool here = in[id] & 1;
    int unit = in[1];
    values(record, here ? (generic atomic_int *)&here_i[mine] : &there_i[id], unit);
    fetches(record, here ? (generic atomic_int *)&here_i[mine] : &there_i[id], unit);
    values(record, here ? (generic atomic_uint *)&here_u[mine] : &there_u[id], (uint)unit);
    fetches(record, here ? (generic atomic_uint *)&here_u[mine] : &there_u[id], (uint)unit);
    values(record, here ? (generic atomic_float *)&here_f[mine] : &there_f[id], unit * 0.1f);
}

// 1.13.11-37: what is expected stays as it is when it is found, though others see it, or it is the object itself.
kernel void test_expected_is_shared(global uint *record, global int *in, global atomic_int *i, global int *expected) {
    size_t id = get_global_id(0);
    global atomic_int *object = i + id;
    atomic_init(object, in[3]);
    ASSERT(1, atomic_compare_exchange_strong(object, (global int *)object, in[5]));
    ASSERT(5, atomic_load(object));
    expected[id] = in[5];
    ASSERT(1, atomic_compare_exchange_strong(object, expected + id, in[6]));
    ASSERT(0, atomic_compare_exchange_strong(object, expected + id, in[7]));
    ASSERT(6, expected[id]);
}

// 1.13.11-40: comparisons are of bytes.
kernel void test_bytes(global uint *record, global int *in, global atomic_float *f) {
    global atomic_float *a = f + get_global_id(0);
    float expected = in[0], nan = as_float(0x7fc00000 + in[5]);
    atomic_store(a, -expected);
    ASSERT(false, atomic_compare_exchange_strong(a, &expected, nan));
    ASSERT(0x80000000, as_uint(expected));
    ASSERT(true, atomic_compare_exchange_strong(a, &expected, nan));
    expected = nan;
    ASSERT(true, atomic_compare_exchange_strong(a, &expected, 1));
    ASSERT_BITS(0x3f800000, atomic_load(a));
}

global atomic_int counted = ATOMIC_VAR_INIT(3);  // 1.13.11-6
global atomic_uint counted_from_0;               // 1.13.11-8
global atomic_flag taken = ATOMIC_FLAG_INIT;     // 1.13.11-44

// All work-items at once.
kernel void test_many(global uint *record, global int *in, global atomic_int *a, global atomic_uint *u,
                      global int *seen) {
    int id = get_global_id(0);
    local atomic_int here;
    if (get_local_id(0) == 0) atomic_init(&here, in[5]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&seen[1000 + atomic_fetch_sub_explicit(&here, 1, memory_order_relaxed, memory_scope_work_group)]);
    seen[atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed)] = id;  // each another place
    atomic_fetch_or(&u[32], 1u << (id % 32));
    atomic_fetch_xor(&u[0], id);
    atomic_fetch_and(&u[127], ~id);
    atomic_fetch_min(&a[1], -id);
    atomic_fetch_max(&a[2], id);
    int old = atomic_load(&a[3]);
    while (!atomic_compare_exchange_weak(&a[3], &old, old + id)) {}
    if (!atomic_flag_test_and_set(&taken)) atomic_fetch_add(&a[4], 1);  // 1.13.11-45
    if (atomic_fetch_add_explicit(&counted_from_0, 1, memory_order_acq_rel) != 63) return;  // the last one looks
    ASSERT(67, atomic_load(&counted));
    ulong found = 0;
    for (int i = 3; i < 67; i++) found |= 1ul << seen[i];
    ASSERT_LONG(~0ul, found);
    for (int i = 0; i < 16; i++) ASSERT(1005 - i + 4, seen[1005 - i]);
    ASSERT(0xffffffff, atomic_load(&u[32])); ASSERT(0, atomic_load(&u[0])); ASSERT(127 & ~63, atomic_load(&u[127]));
    ASSERT(-63, atomic_load(&a[1])); ASSERT(63, atomic_load(&a[2]));
    ASSERT(3 + 63 * 32, atomic_load(&a[3])); ASSERT(5, atomic_load(&a[4]));
    atomic_flag_clear(&taken);  // 1.13.11-46
    ASSERT(false, atomic_flag_test_and_set(&taken)); ASSERT(true, atomic_flag_test_and_set(&taken));
}

#define FLAG(flag)                                                                                      \
    atomic_flag_clear(flag);                                                                            \
    ASSERT(false, atomic_flag_test_and_set(flag));                                                      \
    ASSERT(true, atomic_flag_test_and_set_explicit(flag, memory_order_acquire));                        \
    atomic_flag_clear_explicit(flag, memory_order_release);                                             \
    ASSERT(false, atomic_flag_test_and_set_explicit(flag, memory_order_relaxed, memory_scope_work_group)); \
    atomic_flag_clear_explicit(flag, memory_order_relaxed, memory_scope_device);                        \
    ASSERT(false, atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, memory_scope_device))

kernel void test_flags(global uint *record, global int *in, global atomic_flag *flags) {
    local atomic_flag here[16];
    FLAG(&flags[get_global_id(0)]);
    FLAG(&here[get_local_id(0)]);
    generic atomic_flag *either = in[get_global_id(0)] & 1 ? (generic atomic_flag *)&here[get_local_id(0)] : &flags[get_global_id(0)];
    FLAG(either);
    ASSERT(4, sizeof(atomic_flag));  // 1.13.11-31
    ASSERT(true, ((global uint *)flags)[get_global_id(0)] != 0);
}
