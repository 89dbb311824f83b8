// SPDX-License-Identifier: Apache-2.0
// The atomic functions of OpenCL C 2.0 on the integers of 64 bits, in every space: 1.13.11. A unit has bits in both halves.
// OPTIONS: -cl-std=CL2.0
// NEEDS: 64-bit atomics
// RUN: global=64 local=16
#include "assert.h"
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// 1.13.11-27
#define A atomic_long
#define C long
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
#define A atomic_ulong
#define C ulong
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

#define UNIT 0x100000001

kernel void test_global(global uint *record, global int *in, global atomic_long *i, global atomic_ulong *u) {
    size_t id = get_global_id(0);
    long unit = in[1] * UNIT;
    values(record, i + id, unit);
    fetches(record, i + id, unit);
    values(record, u + id, (ulong)unit);
    fetches(record, u + id, (ulong)unit);
}

kernel void test_local(global uint *record, global int *in, local atomic_ulong *u) {
    local atomic_long i[16];
    size_t id = get_local_id(0);
    long unit = in[1] * UNIT;
    values(record, i + id, unit);
    fetches(record, i + id, unit);
    values(record, u + id, (ulong)unit);
    fetches(record, u + id, (ulong)unit);
}

#define GENERIC(name, type)                                                                                   \
    kernel void test_generic_##name(global uint *record, global int *in, global atomic_##type *there) {       \
        local atomic_##type here[16];                                                                         \
        size_t id = get_global_id(0), mine = get_local_id(0);                                                 \
        bool in_local = in[id] & 1;                                                                           \
        values(record, in_local ? (generic atomic_##type *)&here[mine] : &there[id], (type)(in[1] * UNIT));   \
        fetches(record, in_local ? (generic atomic_##type *)&here[mine] : &there[id], (type)(in[1] * UNIT));  \
    }
GENERIC(signed, long)
GENERIC(unsigned, ulong)

// 1.13.11-29, 1.13.11-42: the types as wide as a pointer are others' names, which their functions take.
#define SAME(name)                                                                                            \
    kernel void test_##name(global uint *record, global int *in, global atomic_##name *a) {                   \
        values(record, a + get_global_id(0), (name)(in[1] * UNIT));                                           \
        fetches(record, a + get_global_id(0), (name)(in[1] * UNIT));                                          \
    }
SAME(intptr_t) SAME(size_t) SAME(ptrdiff_t)

kernel void test_uintptr_t(global uint *record, global int *in, global atomic_uintptr_t *u) {
    u += get_global_id(0);
    values(record, u, (uintptr_t)(in[1] * UNIT));
    ptrdiff_t back = -(ptrdiff_t)sizeof(int);
    atomic_store(u, (uintptr_t)(in + 7));
    ASSERT_LONG((uintptr_t)(in + 7), atomic_fetch_add(u, back));
    ASSERT_LONG((uintptr_t)(in + 6), atomic_fetch_sub_explicit(u, back, memory_order_relaxed));
    ASSERT_LONG((uintptr_t)(in + 7), atomic_fetch_sub_explicit(u, -3 * back, memory_order_relaxed, memory_scope_work_group));
    ASSERT_LONG((uintptr_t)(in + 4), atomic_fetch_or(u, (uintptr_t)1));
    ASSERT_LONG((uintptr_t)(in + 4) | 1, atomic_fetch_xor(u, (uintptr_t)1));
    ASSERT_LONG((uintptr_t)(in + 4), atomic_fetch_min(u, (uintptr_t)in));
    ASSERT_LONG((uintptr_t)in, atomic_fetch_max(u, (uintptr_t)(in + 9)));
    ASSERT_LONG((uintptr_t)(in + 9), atomic_fetch_and(u, (uintptr_t)0));
    ASSERT_LONG(0, atomic_load(u));
}

// All work-items of a work-group at once; a carry goes from half to half.
kernel void test_many(global uint *record, global int *in, global atomic_ulong *u, global atomic_long *a) {
    ulong id = get_local_id(0);
    local atomic_ulong here;
    u += get_group_id(0) * 8;
    a += get_group_id(0) * 8;
    if (id == 0) {
        atomic_init(&here, 0xffffffff);
        atomic_init(&u[0], 0); atomic_init(&u[1], 0); atomic_init(&u[2], ~0ul);
        atomic_init(&a[0], 0); atomic_init(&a[1], 0); atomic_init(&a[2], 0); atomic_init(&a[3], 0xfffffff0);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_fetch_add_explicit(&here, id, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_or(&u[0], 1ul << (id * 4));
    atomic_fetch_xor(&u[1], id << 40);
    atomic_fetch_and(&u[2], ~(1ul << (id * 4)));
    atomic_fetch_min(&a[0], -(long)id << 40);
    atomic_fetch_max(&a[1], (long)id << 40);
    atomic_fetch_sub(&a[2], id << 31);
    long old = atomic_load(&a[3]);
    while (!atomic_compare_exchange_weak(&a[3], &old, old + (long)id)) {}
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ASSERT_LONG(0xffffffff + 120ul, atomic_load(&here));
    ASSERT_LONG(0x1111111111111111, atomic_load(&u[0])); ASSERT_LONG(0, atomic_load(&u[1]));
    ASSERT_LONG(0xeeeeeeeeeeeeeeee, atomic_load(&u[2]));
    ASSERT_LONG(-15l << 40, atomic_load(&a[0])); ASSERT_LONG(15l << 40, atomic_load(&a[1]));
    ASSERT_LONG(-120l << 31, atomic_load(&a[2])); ASSERT_LONG(0xfffffff0 + 120l, atomic_load(&a[3]));
}
