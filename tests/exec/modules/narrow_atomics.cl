// SPDX-License-Identifier: Apache-2.0
// Atomic operations on integers of 16 and 8 bits (SPV_INTEL_16bit_atomics): narrow_atomics.spvasm has the functions.
// OPTIONS: -cl-std=CL3.0
// RUN: global=64 local=16
#include "assert.h"

#define DECLARE(type, signed_type)                            \
    type add_##signed_type(generic type *p, type x);          \
    type sub_##signed_type(generic type *p, type x);          \
    type and_##signed_type(generic type *p, type x);          \
    type or_##signed_type(generic type *p, type x);           \
    type xor_##signed_type(generic type *p, type x);          \
    type smin_##signed_type(generic type *p, type x);         \
    type smax_##signed_type(generic type *p, type x);         \
    type umin_##signed_type(generic type *p, type x);         \
    type umax_##signed_type(generic type *p, type x);         \
    type exchange_##signed_type(generic type *p, type x);     \
    type increment_##signed_type(generic type *p);            \
    type decrement_##signed_type(generic type *p);            \
    type load_##signed_type(generic type *p);                 \
    void store_##signed_type(generic type *p, type x);        \
    type compare_##signed_type(generic type *p, type x, type y);
DECLARE(ushort, short)
DECLARE(uchar, char)
ushort add_far(global ushort *p, ushort x);
ushort add_near(local ushort *p, ushort x);

#define IS(before, call, after) ASSERT((before), call); ASSERT((after), *p)
// `top` is the sign's bit, `all` all bits.
#define CHECK(type, name, top, all)                                                                     \
    void check_##name(global uint *record, generic type *p, int one) {                                  \
        store_##name(p, all - 1);                                                                       \
        ASSERT(all - 1, load_##name(p)); IS(all - 1, add_##name(p, one + 2), one);                      \
        IS(1, sub_##name(p, one + 2), all - 1); IS(all - 1, and_##name(p, one | top), top);             \
        IS(top, or_##name(p, one + 4), top + 5); IS(top + 5, xor_##name(p, top + one), 4);              \
        IS(4, smin_##name(p, top), top); IS(top, umin_##name(p, one + 8), 9);                           \
        IS(9, umax_##name(p, top + 3), top + 3); IS(top + 3, smax_##name(p, one + 6), 7);               \
        IS(7, exchange_##name(p, all), all); IS(all, increment_##name(p), 0);                           \
        IS(0, decrement_##name(p), all); IS(all, compare_##name(p, one + 1, one), all);                 \
        IS(all, compare_##name(p, one + 1, all), 2); IS(2, smax_##name(p, top), 2);                     \
    }
CHECK(ushort, short, 0x8000, 0xffff)
CHECK(uchar, char, 0x80, 0xff)

kernel void test_global(global uint *record, global int *in, global ushort *shorts, global uchar *bytes) {
    check_short(record, shorts + get_global_id(0), in[1]);
    check_char(record, bytes + get_global_id(0), in[1]);
}
kernel void test_local(global uint *record, global int *in) {
    local ushort shorts[16];
    local uchar bytes[16];
    check_short(record, shorts + get_local_id(0), in[1]);
    check_char(record, bytes + get_local_id(0), in[1]);
}
kernel void test_private(global uint *record, global int *in) {
    ushort word = in[2];
    uchar byte = in[3];
    check_short(record, &word, in[1]);
    check_char(record, &byte, in[1]);
    ASSERT(2, word); ASSERT(2, byte);
}

// The work-items of a group change neighbours at the same time, with plain stores beside them.
kernel void test_many(global uint *record, global int *in, global ushort *shorts) {
    local ushort sums[4];
    const int id = get_local_id(0), lane = id & 1;
    shorts += 4 * get_group_id(0);
    if (id < 4) sums[id] = shorts[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < 50; i++) {
        add_near(sums + lane, in[id]);
        add_far(shorts + lane, in[id]);
    }
    if (id == 3) sums[2] = shorts[3] = in[77];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ASSERT(50 * 56, sums[0]); ASSERT(50 * 64, sums[1]); ASSERT(77, sums[2]); ASSERT(0, sums[3]);
    ASSERT(50 * 56, shorts[0]); ASSERT(50 * 64, shorts[1]); ASSERT(0, shorts[2]); ASSERT(77, shorts[3]);
}
