// SPDX-License-Identifier: Apache-2.0
// Work-group functions (OpenCL C 2.0 6.13.15) for every type and for work-groups of any size and shape; what each should give
// is computed by one work-item after the other from the inputs.
// OPTIONS: -cl-std=CL2.0
// RUN: global=2 local=1
// RUN: global=16 local=8
// RUN: global=26 local=13
// RUN: global=127 local=127
// RUN: global=192 local=64
// RUN: global=100 local=64
// RUN: global=1024 local=1024
// RUN: global=14,9 local=7,3
// RUN: global=32,32 local=32,32
// RUN: global=10,6,14 local=5,3,7
// RUN: global=8,8,8 local=8,8,8
#include "assert.h"

uint linear(void) {
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
uint group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

// A value for each linear id: neither sorted nor all positive.
int value(global int *in, uint id) { return in[(id * 37 + 11) % 101] - 50; }

// 1.13.15-2
kernel void test_all_any(global uint *record, global int *in) {
    uint me = linear(), size = group_size();
    ASSERT(1, work_group_all(in[me] >= 0) != 0);
    ASSERT(size == 1, work_group_all(me == in[0]) != 0);
    ASSERT(0, work_group_all(in[me] != in[size - 1]) != 0);
    ASSERT(1, work_group_any(me == in[size - 1]) != 0);
    ASSERT(0, work_group_any(in[me] < 0));
    ASSERT(1, work_group_all(in[me] - 5000) != 0);
}

// 1.13.15-3
kernel void test_broadcast(global uint *record, global int *in) {
    uint me = linear(), size = group_size();
    if (get_work_dim() == 1) {
        ASSERT(size - 1, work_group_broadcast(in[me], size - 1));
        ASSERT(size / 2, work_group_broadcast(in[me], size / 2));
    }
    size_t x = get_local_size(0) - 1, y = get_local_size(1) / 2, z = get_local_size(2) - 1;
    if (get_work_dim() == 2) ASSERT(x + (z + y) * get_local_size(0), work_group_broadcast(in[me], x, y));
    ASSERT(x + get_local_size(0) * (y + get_local_size(1) * z), work_group_broadcast(in[me], x, y, z));
    ASSERT_LONG((long)(x + get_local_size(0) * y) << 33, work_group_broadcast((long)in[me] << 33, x, y, in[0]));
    float f = work_group_broadcast((float)me + 0.5f, x, y, z);
    ASSERT_BITS(as_uint((float)(x + get_local_size(0) * (y + get_local_size(1) * z)) + 0.5f), f);
}

// 1.13.15-4, 1.13.15-6, 1.13.15-7
#define CHECK(T, as_bits, lowest, highest)                                                                              \
    {                                                                                                                   \
        uint me = linear(), size = group_size();                                                                        \
        T sum = 0, least = highest, most = lowest, sum_before = 0, least_before = highest, most_before = lowest;         \
        for (uint i = 0; i < size; i++) {                                                                               \
            T x = (T)value(in, i);                                                                                      \
            if (i == me) sum_before = sum, least_before = least, most_before = most;                                    \
            sum += x;                                                                                                   \
            least = x < least ? x : least;                                                                              \
            most = x > most ? x : most;                                                                                 \
        }                                                                                                               \
        T x = (T)value(in, me);                                                                                         \
        ASSERT_LONG(as_bits(sum), as_bits(work_group_reduce_add(x)));                                                   \
        ASSERT_LONG(as_bits(least), as_bits(work_group_reduce_min(x)));                                                 \
        ASSERT_LONG(as_bits(most), as_bits(work_group_reduce_max(x)));                                                  \
        ASSERT_LONG(as_bits(sum_before), as_bits(work_group_scan_exclusive_add(x)));                                    \
        ASSERT_LONG(as_bits(least_before), as_bits(work_group_scan_exclusive_min(x)));                                  \
        ASSERT_LONG(as_bits(most_before), as_bits(work_group_scan_exclusive_max(x)));                                   \
        ASSERT_LONG(as_bits(sum_before + x), as_bits(work_group_scan_inclusive_add(x)));                                \
        ASSERT_LONG(as_bits((x < least_before ? x : least_before)), as_bits(work_group_scan_inclusive_min(x)));         \
        ASSERT_LONG(as_bits((x > most_before ? x : most_before)), as_bits(work_group_scan_inclusive_max(x)));           \
    }

// 1.13.15-5
kernel void test_int(global uint *record, global int *in) CHECK(int, (uint), INT_MIN, INT_MAX)
kernel void test_uint(global uint *record, global int *in) CHECK(uint, (uint), 0, UINT_MAX)
kernel void test_long(global uint *record, global int *in) CHECK(long, (ulong), LONG_MIN, LONG_MAX)
kernel void test_ulong(global uint *record, global int *in) CHECK(ulong, (ulong), 0, ULONG_MAX)
kernel void test_float(global uint *record, global int *in) CHECK(float, as_uint, -INFINITY, INFINITY)

// 1.13.15-9; the function is called from another one, with a generic pointer (seed000-15), twice in a row
void scan(int *x, bool inclusive) {
    *x = inclusive ? work_group_scan_inclusive_add(*x) : work_group_scan_exclusive_add(*x);
}
constant int inputs[8] = {3, 1, 7, 0, 4, 1, 6, 3}, inclusive[8] = {3, 4, 11, 11, 15, 16, 22, 25},
             exclusive[8] = {0, 3, 4, 11, 11, 15, 16, 22};
kernel void test_example(global uint *record, global int *in) {
    uint me = linear();
    int x = me < 8 ? inputs[me] : 0, y = x;
    scan(&x, true);
    scan(&y, in[0]);
    ASSERT(me < 8 ? inclusive[me] : 25, x);
    ASSERT(me < 8 ? exclusive[me] : 25, y);
}

// 1.13.15-1: in loops and branches that the whole group takes
kernel void test_control_flow(global uint *record, global int *in) {
    uint me = linear(), size = group_size();
    int sum = 0;
    for (int round = 0; round < in[7]; round++) {
        if (me % 3 == round % 3) sum += in[me];
        if (round % 2 == in[0])
            sum += work_group_reduce_max(in[me] + round);
        else
            sum -= work_group_scan_exclusive_max(in[me]) == INT_MIN ? 0 : 1;
        if (work_group_any(round == in[4] && me == in[0])) break;
    }
    int expected = 0;
    for (int round = 0; round < 5; round++) {
        if (me % 3 == round % 3) expected += me;
        expected += round % 2 == 0 ? (int)size - 1 + round : me == 0 ? 0 : -1;
    }
    ASSERT(expected, sum);
}
