// SPDX-License-Identifier: Apache-2.0
// 32-bit atomics on global and local memory: 1.13.11-1 and the legacy forms.
// RUN: global=64 local=16
#include "assert.h"
kernel void test_global_atomics(global uint *record, global int *in, global int *a) {
    // Words 0 to 9 hold their own index; 64 work-items take part.
    atomic_add(&a[0], 2); atomic_sub(&a[1], 1); atomic_inc(&a[2]); atomic_dec(&a[3]);
    atomic_or(&a[4], 1 << (get_global_id(0) % 8)); atomic_and(&a[5], ~4); atomic_xor((volatile global uint *)&a[6], 1u);
    atomic_min(&a[7], -(int)get_global_id(0)); atomic_max((global uint *)&a[8], (uint)get_global_id(0) + 100);
    int old;
    do { old = ((volatile global int *)a)[9]; } while (atomic_cmpxchg(&a[9], old, old + 3) != old);
    atomic_xchg((global float *)&a[10], 1.5f);
    if (atomic_inc(&a[20]) != 20 + 63) return;      // the last one looks
    ASSERT(128, atomic_add(&a[0], 0)); ASSERT(1 - 64, atomic_or(&a[1], 0)); ASSERT(66, atomic_or(&a[2], 0)); ASSERT(3 - 64, atomic_or(&a[3], 0));
    ASSERT(255, atomic_or(&a[4], 0)); ASSERT(1, atomic_or(&a[5], 0)); ASSERT(6, atomic_or(&a[6], 0));
    ASSERT(-63, atomic_or(&a[7], 0)); ASSERT(163, atomic_or(&a[8], 0)); ASSERT(9 + 192, atomic_or(&a[9], 0));
    ASSERT(0x3fc00000, atomic_or(&a[10], 0));
}
kernel void test_local_atomics(global uint *record, global int *in) {
    local int n;
    local uint top;
    if (get_local_id(0) == 0) { n = in[5]; top = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = atomic_add(&n, 2);
    ASSERT(1, before & 1);
    atomic_max(&top, (uint)get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(5 + 32, n); ASSERT(15, top);
}
