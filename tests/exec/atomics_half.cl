// SPDX-License-Identifier: Apache-2.0
// cl_ext_float_atomics on half: by a loop of compare-exchanges of the word that it is in.
// OPTIONS: -cl-std=CL3.0
// NEEDS: half
// RUN: global=64 local=16
#include "assert.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define FETCH(key, before, operand, after)                                                     \
    atomic_store(a, before);                                                                   \
    ASSERT(as_ushort(before), as_ushort(atomic_fetch_##key(a, operand)));                      \
    ASSERT(as_ushort(after), as_ushort(atomic_exchange(a, before)));                           \
    atomic_fetch_##key##_explicit(a, operand, memory_order_relaxed, memory_scope_work_group);  \
    ASSERT(as_ushort(after), as_ushort(atomic_load(a)))
#define CHECK(SPACE)                                                                                           \
    __attribute__((overloadable)) void check(global uint *record, volatile SPACE atomic_half *a, half unit) {  \
        FETCH(add, (half)(unit * 0.5h), (half)(unit * 2.25h), (half)(unit * 2.75h));                           \
        FETCH(sub, (half)(unit * 0.5h), (half)(unit * 2.25h), (half)(unit * -1.75h));                          \
        FETCH(add, (half)(unit * 65504.0h), (half)(unit * 32.0h), (half)INFINITY);                             \
        FETCH(min, unit, (half)-unit, (half)-unit);                                                            \
        FETCH(max, unit, (half)-unit, unit);                                                                   \
        FETCH(max, unit, (half)INFINITY, (half)INFINITY);                                                      \
        FETCH(min, (half)NAN, unit, unit);                                                                     \
        FETCH(max, (half)NAN, (half)-unit, (half)-unit);                                                       \
        FETCH(min, unit, (half)NAN, unit);                                                                     \
        FETCH(max, unit, (half)NAN, unit);                                                                     \
    }
CHECK(global) CHECK(local) CHECK(generic)

kernel void test_global(global uint *record, global int *in, global atomic_half *a) {
    check(record, a + get_global_id(0), in[1]);
}
kernel void test_local(global uint *record, global int *in) {
    local atomic_half a[16];
    check(record, a + get_local_id(0), in[1]);
}
kernel void test_generic(global uint *record, global int *in, global atomic_half *there) {
    local atomic_half here[16];
    check(record, in[get_global_id(0)] & 1 ? (generic atomic_half *)&here[get_local_id(0)] : there + get_global_id(0), in[1]);
}

// Neighbours share words.
kernel void test_many(global uint *record, global int *in, global atomic_half *a) {
    local atomic_half sums[3];
    a += 3 * get_group_id(0);
    if (get_local_id(0) < 3) {
        atomic_init(&sums[get_local_id(0)], 0.5h);
        atomic_init(&a[get_local_id(0)], 0.5h);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    half id = in[get_local_id(0)];
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&sums[i], (half)(id * (half)in[i]));
        atomic_fetch_sub(&a[i], (half)(id * (half)in[i]));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        ASSERT(as_ushort((half)(120 * i + 0.5f)), as_ushort(atomic_load(&sums[i])));
        ASSERT(as_ushort((half)(0.5f - 120 * i)), as_ushort(atomic_load(&a[i])));
    }
}
