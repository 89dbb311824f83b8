// SPDX-License-Identifier: Apache-2.0
// The functions of cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics: B-2. A unit has bits in both halves.
// NEEDS: 64-bit atomics
// RUN: global=64 local=16
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#include "assert.h"

#define CHECK(C, SPACE)                                                                                             \
    __attribute__((overloadable)) void check(global uint *record, volatile SPACE C *a, C unit) {                     \
        const C minus = -unit;                                                                                      \
        *a = unit * 5;                                                                                              \
        ASSERT_LONG(unit * 5, atom_add(a, unit * 2)); ASSERT_LONG(unit * 7, atom_sub(a, unit * 4));                 \
        ASSERT_LONG(unit * 3, atom_xchg(a, 0xffffffff)); ASSERT_LONG(0xffffffff, atom_inc(a));                      \
        ASSERT_LONG(0x100000000, atom_dec(a)); ASSERT_LONG(0xffffffff, atom_cmpxchg(a, unit, unit * 2));            \
        ASSERT_LONG(0xffffffff, atom_cmpxchg(a, (C)0xffffffff, unit * 10));                                         \
        ASSERT_LONG(unit * 10, atom_or(a, unit * 3)); ASSERT_LONG(unit * 11, atom_xor(a, unit * 6));                \
        ASSERT_LONG(unit * 13, atom_and(a, unit * 6)); ASSERT_LONG(unit * 4, atom_min(a, unit));                    \
        ASSERT_LONG(unit, atom_max(a, minus)); ASSERT_LONG((C)-1 < 0 ? unit : minus, atom_min(a, minus));           \
        ASSERT_LONG(minus, *a);                                                                                     \
    }
CHECK(long, global) CHECK(ulong, global) CHECK(long, local) CHECK(ulong, local)

#define UNIT 0x100000001

kernel void test_global(global uint *record, global int *in, global long *i, global ulong *u) {
    check(record, i + get_global_id(0), in[1] * UNIT);
    check(record, u + get_global_id(0), (ulong)in[1] * UNIT);
}

kernel void test_local(global uint *record, global int *in, local long *i) {
    local ulong u[16];
    check(record, i + get_local_id(0), in[1] * UNIT);
    check(record, u + get_local_id(0), (ulong)in[1] * UNIT);
}

// All work-items at once: each sum is another. Fences order what the last one reads behind what the others wrote.
kernel void test_many(global uint *record, global long *sum, global long *seen) {
    long before = atom_add(sum, 1l << 32);
    seen[100 + (before >> 32)] = get_global_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atom_inc(&seen[0]) != 0x100000000 + 63) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    ASSERT_LONG((1l << 32) + (64l << 32), *(volatile global long *)sum);
    ulong found = 0;
    for (int i = 1; i <= 64; i++) found |= 1ul << seen[100 + i];
    ASSERT_LONG(~0ul, found);
}
