// SPDX-License-Identifier: Apache-2.0
// Sub-groups (cl_khr_subgroups): queries, barrier, votes, broadcast, reductions and scans, whatever the device's sub-groups
// are, in work-groups of any size and shape.
// OPTIONS: -cl-std=CL2.0
// RUN: global=2 local=1
// RUN: global=12 local=4
// RUN: global=26 local=13
// RUN: global=127 local=127
// RUN: global=150 local=64
// RUN: global=256 local=256
// RUN: global=14,9 local=7,3
// RUN: global=8,8,8 local=4,8,8
// NEEDS: quick doubles
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#include "sub_groups.h"

// seed002-3, -4, -7, -11 to -16
kernel void test_queries(global uint *record, global int *in) {
    local uint seen[MAX_SIZE];
    WHO_IS_WHERE
    uint most = get_max_sub_group_size(), count = get_num_sub_groups(), group = get_sub_group_id();
    uint enqueued = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
    ASSERT((size + most - 1) / most, count);
    ASSERT((enqueued + most - 1) / most, get_enqueued_num_sub_groups());
    ASSERT(group == count - 1 ? size - (count - 1) * most : most, get_sub_group_size());
    ASSERT(1, group < count);
    ASSERT(1, lane < get_sub_group_size());
    // Each place is taken once.
    seen[me] = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&seen[group * most + lane]);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(1, seen[me]);
    // The work-item functions still number the work-items.
    ASSERT(me, get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
    for (int d = 0; d < 3; d++)
        ASSERT(get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d), get_global_id(d));
}

// seed002-9, -17
kernel void test_barrier(global uint *record, global int *in) {
    local int box[MAX_SIZE];
    WHO_IS_WHERE
    uint first = get_sub_group_id() * get_max_sub_group_size(), mates = get_sub_group_size();
    for (int round = 0; round < in[4]; round++) {
        box[first + lane] = in[me] + round;
        if (round == in[1])
            sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
        else
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        uint next = (lane + 1) % mates;
        int found = box[first + next];
        FOR_EACH_MATE(i) if (LANE_OF(i) == next) ASSERT(i + round, found);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// seed002-18 to -20
kernel void test_votes(global uint *record, global int *in) {
    WHO_IS_WHERE
    int all = 1, any = 0;
    FOR_EACH_MATE(i) all &= (i > size / 3), any |= (i == size / 2);
    ASSERT(all, sub_group_all(in[me] > size / 3) != 0);
    ASSERT(any, sub_group_any(in[me] == size / 2) != 0);
    uint last = get_sub_group_size() - 1, from = 0;
    FOR_EACH_MATE(i) if (LANE_OF(i) == last) from = i;
    ASSERT(from, sub_group_broadcast(in[me], last));
    ASSERT_LONG((ulong)from << 40, sub_group_broadcast((ulong)in[me] << 40, last));
    ASSERT_BITS(as_uint((float)from), sub_group_broadcast((float)in[me], last));
}

// seed002-21 to -23
#define CHECK(T, as_bits, lowest, highest)                                                                       \
    {                                                                                                            \
        WHO_IS_WHERE                                                                                             \
        T sum = 0, least = highest, most = lowest, sum_before = 0, least_before = highest, most_before = lowest; \
        FOR_EACH_MATE(i) {                                                                                       \
            T x = (T)value(in, i);                                                                               \
            sum += x, least = min(least, x), most = max(most, x);                                                \
            if (LANE_OF(i) < lane)                                                                               \
                sum_before += x, least_before = min(least_before, x), most_before = max(most_before, x);         \
        }                                                                                                        \
        T x = (T)value(in, me);                                                                                  \
        ASSERT_LONG(as_bits(sum), as_bits(sub_group_reduce_add(x)));                                             \
        ASSERT_LONG(as_bits(least), as_bits(sub_group_reduce_min(x)));                                           \
        ASSERT_LONG(as_bits(most), as_bits(sub_group_reduce_max(x)));                                            \
        ASSERT_LONG(as_bits(sum_before), as_bits(sub_group_scan_exclusive_add(x)));                              \
        ASSERT_LONG(as_bits(least_before), as_bits(sub_group_scan_exclusive_min(x)));                            \
        ASSERT_LONG(as_bits(most_before), as_bits(sub_group_scan_exclusive_max(x)));                             \
        ASSERT_LONG(as_bits((T)(sum_before + x)), as_bits(sub_group_scan_inclusive_add(x)));                     \
        ASSERT_LONG(as_bits(min(least_before, x)), as_bits(sub_group_scan_inclusive_min(x)));                    \
        ASSERT_LONG(as_bits(max(most_before, x)), as_bits(sub_group_scan_inclusive_max(x)));                     \
    }
kernel void test_int(global uint *record, global int *in) CHECK(int, (uint), INT_MIN, INT_MAX)
kernel void test_uint(global uint *record, global int *in) CHECK(uint, (uint), 0, UINT_MAX)
kernel void test_long(global uint *record, global int *in) CHECK(long, (ulong), LONG_MIN, LONG_MAX)
kernel void test_ulong(global uint *record, global int *in) CHECK(ulong, (ulong), 0, ULONG_MAX)
kernel void test_float(global uint *record, global int *in) CHECK(float, as_uint, -INFINITY, INFINITY)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test_half(global uint *record, global int *in) CHECK(half, as_ushort, -INFINITY, INFINITY)
#endif
#ifdef cl_khr_fp64
kernel void test_double(global uint *record, global int *in) CHECK(double, as_ulong, -INFINITY, INFINITY)
#endif

// cl_khr_subgroup_extended_types
kernel void test_char(global uint *record, global int *in) CHECK(char, (uchar), CHAR_MIN, CHAR_MAX)
kernel void test_uchar(global uint *record, global int *in) CHECK(uchar, (uchar), 0, UCHAR_MAX)
kernel void test_short(global uint *record, global int *in) CHECK(short, (ushort), SHRT_MIN, SHRT_MAX)
kernel void test_ushort(global uint *record, global int *in) CHECK(ushort, (ushort), 0, USHRT_MAX)
kernel void test_vectors(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint from = 0, last = get_sub_group_size() - 1;
    FOR_EACH_MATE(i) if (LANE_OF(i) == last) from = i;
    int8 ints = sub_group_broadcast((int8)(me, me + 1, me + 2, me + 3, me + 4, me + 5, me + 6, me + 7), last);
    ASSERT(from, ints.s0);
    ASSERT(from + 7, ints.s7);
    uchar3 bytes = sub_group_broadcast((uchar3)(me, 200, me), last);
    ASSERT((uchar)from, bytes.x);
    ASSERT(200, bytes.y);
    ASSERT_LONG((long)from << 35, sub_group_broadcast((long2)(0, (long)me << 35), last).y);
    ASSERT_BITS(as_uint(from + 0.25f), sub_group_broadcast((float4)(0, 1, 2, me + 0.25f), last).w);
}
