// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// RUN: global=64 local=16
// gcc and clang: __atomic_, __scoped_atomic_ and __sync_ functions on plain objects of 8 to 64 bits in each address
// space, what they return, and that none loses what others do.
#include "assert.h"

// Each work-item works on the counters of its type and size.
typedef struct {
    int sum, difference, least, most, all, any, odd;
    uint ones;
    float total;
    ushort halves[2];
    uchar bytes[4];
    int seen;
} Counters;

kernel void test_shared(global uint *record, global int *in, global int *done) {
    local Counters c;
    local int flags[4];
    const int id = (int)get_local_id(0), items = (int)get_local_size(0);
    if (id == 0) {
        c.sum = c.difference = c.odd = c.seen = 0;
        c.least = 1000;
        c.most = -1000;
        c.all = ~0;
        c.any = 0;
        c.ones = 0;
        c.total = 0;
        c.halves[0] = c.halves[1] = 0;
        for (int i = 0; i < 4; ++i) c.bytes[i] = 0, flags[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __atomic_fetch_add(&c.sum, id + in[1], __ATOMIC_RELAXED);
    __atomic_sub_fetch(&c.difference, 2, __ATOMIC_SEQ_CST);
    __atomic_fetch_min(&c.least, id - 5, __ATOMIC_ACQUIRE);
    __atomic_fetch_max(&c.most, id - 5, __ATOMIC_RELEASE);
    __atomic_fetch_and(&c.all, ~(1 << id), __ATOMIC_ACQ_REL);
    __sync_fetch_and_or_4(&c.any, 1 << id);
    __sync_fetch_and_xor_8(&c.odd, 3 << id);  // the object's type has the size
    __scoped_atomic_fetch_add(&c.ones, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __atomic_fetch_add(&c.total, 0.5f, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c.halves[id & 1], (ushort)300, __ATOMIC_RELAXED);
    __sync_add_and_fetch_1(&c.bytes[id & 3], (uchar)3);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(items * (items - 1) / 2 + items, __atomic_load_n(&c.sum, __ATOMIC_SEQ_CST));
    ASSERT(-2 * items, c.difference);
    ASSERT(-5, c.least);
    ASSERT(items - 6, c.most);
    ASSERT(0xffff0000, c.all);
    ASSERT(0xffff, c.any);
    ASSERT(0x10001, c.odd);
    ASSERT(items, c.ones);
    ASSERT_BITS(as_uint(items * 0.5f), c.total);
    ASSERT(items / 2 * 300, c.halves[0]);
    ASSERT(items / 2 * 300, c.halves[1]);
    ASSERT(0, c.bytes[0] != items / 4 * 3 || c.bytes[1] != c.bytes[0] || c.bytes[2] != c.bytes[0] ||
                  c.bytes[3] != c.bytes[0]);
    // One of all work-items gets the flag
    local uchar *flag = (local uchar *)&flags[1] + 2;
    const bool had = __atomic_test_and_set(flag, __ATOMIC_ACQ_REL);
    if (!had) __atomic_fetch_add(&c.seen, 1, __ATOMIC_RELAXED);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(1, c.seen);
    ASSERT(0x10000, flags[1]);
    ASSERT(0, flags[0] | flags[2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 3) __atomic_clear(flag, __ATOMIC_RELEASE);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(0, flags[1]);
}

// What they return, in global memory that each work-item has for itself
#define SEQUENCE(type)                                                                                \
    {                                                                                                 \
        global type *p = (global type *)(done + 8 * get_global_id(0));                                \
        *p = (type)0;                                                                                 \
        uint wrong = 0;                                                                               \
        wrong += __atomic_exchange_n(p, (type)12, __ATOMIC_SEQ_CST) != 0;                             \
        wrong += __atomic_fetch_add(p, (type)5, __ATOMIC_RELAXED) != 12 || *p != 17;                  \
        wrong += __atomic_add_fetch(p, (type)3, __ATOMIC_RELAXED) != 20;                              \
        wrong += __atomic_sub_fetch(p, (type)1, __ATOMIC_RELAXED) != 19;                              \
        wrong += __atomic_fetch_or(p, (type)4, __ATOMIC_RELAXED) != 19 || *p != 23;                   \
        wrong += __atomic_and_fetch(p, (type)29, __ATOMIC_RELAXED) != 21;                             \
        wrong += __atomic_xor_fetch(p, (type)1, __ATOMIC_RELAXED) != 20;                              \
        wrong += __atomic_fetch_nand(p, (type)6, __ATOMIC_RELAXED) != 20 || *p != (type)~4;           \
        wrong += __sync_nand_and_fetch(p, (type)7) != (type)~3;                                       \
        wrong += __atomic_min_fetch(p, (type)9, __ATOMIC_RELAXED) != ((type)~3 < (type)9 ? (type)~3 : 9); \
        wrong += __sync_lock_test_and_set(p, (type)2) != ((type)~3 < (type)9 ? (type)~3 : (type)9);   \
        wrong += __atomic_fetch_max(p, (type)100, __ATOMIC_RELAXED) != 2 || *p != 100;                \
        type expected = (type)99;                                                                     \
        wrong += __atomic_compare_exchange_n(p, &expected, (type)7, true, __ATOMIC_SEQ_CST, 0);       \
        wrong += expected != 100 || *p != 100;                                                        \
        wrong += !__atomic_compare_exchange_n(p, &expected, (type)7, false, 5, __ATOMIC_ACQUIRE);     \
        wrong += expected != 100 || *p != 7;                                                          \
        wrong += __sync_bool_compare_and_swap(p, (type)8, (type)9);                                   \
        wrong += !__sync_bool_compare_and_swap(p, (type)7, (type)9);                                  \
        wrong += __sync_val_compare_and_swap(p, (type)9, (type)10, 1, 2) != 9;                        \
        wrong += __sync_val_compare_and_swap(p, (type)9, (type)11) != 10;                             \
        wrong += __sync_swap(p, (type)-1) != 10;                                                      \
        wrong += __sync_fetch_and_sub(p, (type)1) != (type)-1;                                        \
        type value, other = (type)33;                                                                 \
        __atomic_load(p, &value, __ATOMIC_ACQUIRE);                                                   \
        wrong += value != (type)-2;                                                                   \
        __atomic_exchange(p, &other, &value, __ATOMIC_ACQ_REL);                                       \
        wrong += value != (type)-2 || *p != 33;                                                       \
        value = 34;                                                                                   \
        __atomic_store(p, &value, __ATOMIC_RELEASE);                                                  \
        wrong += !__atomic_compare_exchange(p, &value, &other, 0, 5, 5) || *p != 33;                  \
        __atomic_store_n(p, (type)1, __ATOMIC_RELAXED);                                               \
        wrong += __atomic_load_n(p, __ATOMIC_CONSUME) != 1;                                           \
        __sync_lock_release(p);                                                                       \
        wrong += *p != 0;                                                                             \
        ASSERT(0, wrong);                                                                             \
    }

kernel void test_int(global uint *record, global int *in, global int *done) SEQUENCE(int)
kernel void test_uint(global uint *record, global int *in, global int *done) SEQUENCE(uint)
kernel void test_char(global uint *record, global int *in, global int *done) SEQUENCE(char)
kernel void test_ushort(global uint *record, global int *in, global int *done) SEQUENCE(ushort)
#ifdef cl_khr_int64_base_atomics
kernel void test_long(global uint *record, global int *in, global int *done) SEQUENCE(long)
kernel void test_ulong(global uint *record, global int *in, global int *done) SEQUENCE(ulong)
#endif

// Unsigned comparisons of signed numbers, fences, flags of bytes beside others
kernel void test_others(global uint *record, global int *in, global int *done) {
    global uint *p = (global uint *)(done + 8 * get_global_id(0));
    *p = 5;
    uint wrong = __sync_fetch_and_umax(p, 0xfffffff0u) != 5 || *p != 0xfffffff0u;
    wrong += __sync_fetch_and_umin(p, 3u) != 0xfffffff0u || *p != 3;
    global short *s = (global short *)p;
    s[0] = 7, s[1] = -8;
    wrong += __sync_fetch_and_min(s + 1, (short)-9) != -8 || s[0] != 7 || s[1] != -9;
    __sync_synchronize();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    global uchar *b = (global uchar *)p;
    *p = 0x01020304;
    b[2] = 0;
    wrong += __atomic_test_and_set(b + 2, __ATOMIC_SEQ_CST) || !__atomic_test_and_set(b + 2, 0) || *p != 0x01010304;
    __atomic_clear(b + 3, __ATOMIC_SEQ_CST);
    wrong += *p != 0x00010304;
    *p = as_uint(1.5f);
    wrong += __atomic_fetch_sub((global float *)p, 0.25f, 0) != 1.5f || *p != as_uint(1.25f);
    // Objects of four bytes that are no numbers
    global uchar4 *v = (global uchar4 *)p;
    uchar4 old, one = (uchar4)(1, 2, 3, 4);
    __atomic_exchange(v, &one, &old, __ATOMIC_RELAXED);
    wrong += as_uint(old) != as_uint(1.25f) || *p != 0x04030201;
    ASSERT(0, wrong);
}

// Private objects
kernel void test_private(global uint *record, global int *in, global int *done) {
    int n = in[4];
    char c[3] = {(char)in[1], (char)in[2], (char)in[3]};
    uint wrong = __atomic_fetch_add(&n, 3, __ATOMIC_RELAXED) != 4 || n != 7;
    wrong += __sync_add_and_fetch(&c[in[1]], (char)8) != 10 || c[0] != 1 || c[1] != 10 || c[2] != 3;
    int expected = 6;
    wrong += __atomic_compare_exchange_n(&n, &expected, 8, 0, 0, 0) || expected != 7 || n != 7;
    wrong += !__sync_bool_compare_and_swap(&c[in[2]], (char)3, (char)5) || c[2] != 5;
    ASSERT(0, wrong);
}
