// SPDX-License-Identifier: Apache-2.0
// cl_khr_work_group_uniform_arithmetic for every type and for work-groups of any size and shape; what each should give is
// computed by one work-item after the other from the inputs.
// OPTIONS: -cl-std=CL2.0
// RUN: global=2 local=1
// RUN: global=26 local=13
// RUN: global=192 local=64
// RUN: global=100 local=64
// RUN: global=1024 local=1024
// RUN: global=10,6,14 local=5,3,7
#include "assert.h"

uint linear(void) {
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
uint group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

// A value for each linear id: neither sorted nor all positive.
int value(global int *in, uint id) { return in[(id * 37 + 11) % 101] - 50; }

#define COMBINE_mul(a, b) ((a) * (b))
#define COMBINE_and(a, b) ((a) & (b))
#define COMBINE_or(a, b) ((a) | (b))
#define COMBINE_xor(a, b) ((a) ^ (b))
#define COMBINE_logical_and(a, b) (int)((a) && (b))
#define COMBINE_logical_or(a, b) (int)((a) || (b))
#define COMBINE_logical_xor(a, b) (int)(!(a) != !(b))

#define CHECK(operation, T, of, neutral, same)                                           \
    {                                                                                    \
        uint me = linear(), size = group_size();                                         \
        T all = neutral, before = neutral, with = neutral;                               \
        for (uint i = 0; i < size; i++) {                                                \
            T x = of(i);                                                                 \
            if (i == me) before = all, with = COMBINE_##operation(all, x);               \
            all = COMBINE_##operation(all, x);                                           \
        }                                                                                \
        T mine = of(me);                                                                 \
        ASSERT(1, same(all, work_group_reduce_##operation(mine)));                       \
        ASSERT(1, same(before, work_group_scan_exclusive_##operation(mine)));            \
        ASSERT(1, same(with, work_group_scan_inclusive_##operation(mine)));              \
    }

#define EQUAL(a, b) ((a) == (b))
#define ALIKE(a, b) (!(a) == !(b))
#define BITS(T) \
    {           \
        CHECK(and, T, OF, (T)-1, EQUAL) CHECK(or, T, OF, 0, EQUAL) CHECK(xor, T, OF, 0, EQUAL) \
    }

kernel void test_int(global uint *record, global int *in) {
#define OF(i) value(in, i) * 0x01010101
    CHECK(mul, int, OF, 1, EQUAL)
    BITS(int)
#undef OF
}
kernel void test_uint(global uint *record, global int *in) {
#define OF(i) ((uint)value(in, i) * 2 + 1)
    CHECK(mul, uint, OF, 1, EQUAL)
    BITS(uint)
#undef OF
}
kernel void test_long(global uint *record, global int *in) {
#define OF(i) ((long)value(in, i) * 0x100000003L | 1)
    CHECK(mul, long, OF, 1, EQUAL)
    BITS(long)
#undef OF
}
kernel void test_ulong(global uint *record, global int *in) {
#define OF(i) ((ulong)value(in, i) << 20 | 5)
    CHECK(mul, ulong, OF, 1, EQUAL)
    BITS(ulong)
#undef OF
}
// Powers of two have exact products in any order.
kernel void test_float(global uint *record, global int *in) {
#define OF(i) (value(in, i) == 7 ? 2.0f : value(in, i) % 2 ? -1.0f : 1.0f)
    CHECK(mul, float, OF, 1, EQUAL)
#undef OF
}
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test_half(global uint *record, global int *in) {
#define OF(i) (half)(value(in, i) % 3 ? 1 : -1)
    CHECK(mul, half, OF, 1, EQUAL)
#undef OF
}
#endif
kernel void test_logical(global uint *record, global int *in) {
#define OF(i) (value(in, i) > 45 ? 0 : value(in, i) | 0x100)
    CHECK(logical_and, int, OF, 1, ALIKE)
    CHECK(logical_xor, int, OF, 0, ALIKE)
#undef OF
#define OF(i) (value(in, i) > 48 ? -8 : 0)
    CHECK(logical_or, int, OF, 0, ALIKE)
#undef OF
}
