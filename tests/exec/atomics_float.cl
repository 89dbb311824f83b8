// SPDX-License-Identifier: Apache-2.0
// cl_ext_float_atomics on float: the device's own where it has them, else in a loop of compare-exchanges.
// OPTIONS: -cl-std=CL3.0
// RUN: global=64 local=16
#include "assert.h"

#define FETCH(key, before, operand, after)                                                                  \
    atomic_store(a, before);                                                                                \
    ASSERT_BITS(as_uint((float)(before)), atomic_fetch_##key(a, operand));                                  \
    ASSERT_BITS(as_uint((float)(after)), atomic_exchange(a, before));                                       \
    ASSERT_BITS(as_uint((float)(before)), atomic_fetch_##key##_explicit(a, operand, memory_order_acq_rel)); \
    ASSERT_BITS(as_uint((float)(after)), atomic_exchange(a, before));                                       \
    atomic_fetch_##key##_explicit(a, operand, memory_order_relaxed, memory_scope_work_group);               \
    ASSERT_BITS(as_uint((float)(after)), atomic_load(a))
#define CHECK(SPACE)                                                                                     \
    __attribute__((overloadable)) void check(global uint *record, volatile SPACE atomic_float *a, float unit) { \
        FETCH(add, unit * 0.5f, unit * 2.25f, unit * 2.75f);                                             \
        FETCH(sub, unit * 0.5f, unit * 2.25f, unit * -1.75f);                                            \
        FETCH(min, unit, -unit, -unit);                                                                  \
        FETCH(min, unit * -3, unit * 5, unit * -3);                                                      \
        FETCH(max, unit, -unit, unit);                                                                   \
        FETCH(max, unit, INFINITY, INFINITY);                                                            \
        FETCH(min, NAN, unit, unit);                                                                     \
        FETCH(max, NAN, -unit, -unit);                                                                   \
        FETCH(min, unit, NAN, unit);                                                                     \
        FETCH(max, unit, NAN, unit);                                                                     \
    }
CHECK(global) CHECK(local) CHECK(generic)

kernel void test_global(global uint *record, global int *in, global atomic_float *a) {
    check(record, a + get_global_id(0), in[1]);
}
kernel void test_local(global uint *record, global int *in) {
    local atomic_float a[16];
    check(record, a + get_local_id(0), in[1]);
}
kernel void test_generic(global uint *record, global int *in, global atomic_float *there) {
    local atomic_float here[16];
    check(record, in[get_global_id(0)] & 1 ? (generic atomic_float *)&here[get_local_id(0)] : there + get_global_id(0), in[1]);
}

kernel void test_many(global uint *record, global int *in, global atomic_float *a) {
    local atomic_float sum, least, most;
    a += 3 * get_group_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&sum, 0.5f); atomic_init(&least, 0); atomic_init(&most, 0);
        atomic_init(&a[0], 0.5f); atomic_init(&a[1], 0); atomic_init(&a[2], 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    float id = in[get_local_id(0)];
    atomic_fetch_add(&sum, id); atomic_fetch_min(&least, -id); atomic_fetch_max(&most, id);
    atomic_fetch_sub(&a[0], id); atomic_fetch_min(&a[1], -id); atomic_fetch_max(&a[2], id);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ASSERT_BITS(as_uint(120.5f), atomic_load(&sum)); ASSERT_BITS(as_uint(-15.f), atomic_load(&least));
    ASSERT_BITS(as_uint(15.f), atomic_load(&most)); ASSERT_BITS(as_uint(-119.5f), atomic_load(&a[0]));
    ASSERT_BITS(as_uint(-15.f), atomic_load(&a[1])); ASSERT_BITS(as_uint(15.f), atomic_load(&a[2]));
}
