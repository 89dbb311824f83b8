// SPDX-License-Identifier: Apache-2.0
// atomic_double: 1.13.11-28, and cl_ext_float_atomics on it.
// OPTIONS: -cl-std=CL3.0
// NEEDS: double
// NEEDS: 64-bit atomics
// RUN: global=64 local=16
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#include "assert.h"

#define A atomic_double
#define C double
#define SPACE global
#include "atomic_values.h"
#undef SPACE
#define SPACE local
#include "atomic_values.h"
#undef SPACE
#define SPACE generic
#include "atomic_values.h"

kernel void test_doubles(global uint *record, global int *in, global atomic_double *there) {
    local atomic_double here[16];
    double unit = in[1] * 0.1;
    values(record, there + get_global_id(0), unit);
    values(record, here + get_local_id(0), unit);
    values(record, in[get_global_id(0)] & 1 ? (generic atomic_double *)&here[get_local_id(0)] : there + get_global_id(0), unit);
}

// The functions of cl_ext_float_atomics, in a loop of compare-exchanges.
#define FETCH(key, before, operand, after)                                                                    \
    atomic_store(a, before);                                                                                  \
    ASSERT(true, atomic_fetch_##key(a, operand) == (before));                                                 \
    ASSERT(true, atomic_exchange(a, before) == (after));                                                      \
    ASSERT(true, atomic_fetch_##key##_explicit(a, operand, memory_order_acq_rel) == (before));                \
    atomic_fetch_##key##_explicit(a, operand, memory_order_relaxed, memory_scope_work_group)
#define FETCHES(SPACE)                                                                                        \
    __attribute__((overloadable)) void fetches(global uint *record, volatile SPACE atomic_double *a, double unit) { \
        FETCH(add, unit * 0.5, unit * 2.25, unit * 2.75); ASSERT(true, atomic_load(a) == unit * 5);           \
        FETCH(sub, unit * 0.5, unit * 2.25, unit * -1.75); ASSERT(true, atomic_load(a) == unit * -4);         \
        FETCH(min, unit, -unit, -unit); ASSERT(true, atomic_load(a) == -unit);                                \
        FETCH(max, unit, -unit, unit); ASSERT(true, atomic_load(a) == unit);                                  \
    }
FETCHES(global) FETCHES(local) FETCHES(generic)

kernel void test_fetches(global uint *record, global int *in, global atomic_double *there) {
    local atomic_double here[16];
    double unit = in[1] + 0x1p-40;
    fetches(record, there + get_global_id(0), unit);
    fetches(record, here + get_local_id(0), unit);
    fetches(record, in[get_global_id(0)] & 1 ? (generic atomic_double *)&here[get_local_id(0)] : there + get_global_id(0), unit);
}
