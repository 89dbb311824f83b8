// OpenCL C 3.1: what 3.0 has as extensions is a part of the language, without any of their names. printf has
// the lengths of size_t and ptrdiff_t.
// OPTIONS: -cl-std=CL3.1 -cl-ext=-cl_khr_extended_bit_ops,-cl_khr_integer_dot_product,-cl_khr_subgroup_extended_types,-cl_khr_subgroup_rotate,-cl_khr_subgroup_shuffle,-cl_khr_subgroup_shuffle_relative,-__opencl_c_subgroups
// NEEDS: sub-groups
// RUN: global=64 local=64
#include "assert.h"

#if __OPENCL_C_VERSION__ != CL_VERSION_3_1 || !defined(cl_khr_subgroup_rotate) || !defined(__opencl_c_subgroups)
#error OpenCL C 3.1
#endif

kernel void test_bits(global uint *record, global int *in) {
    uint five = (uint)in[5];
    ASSERT(0x50, bitfield_insert(0u, five, 4, 4));
    ASSERT(-3, bitfield_extract_signed((char)five, 0, 3));
    ASSERT(0xa0000000u, bit_reverse(five));
}

kernel void test_dot_products(global uint *record, global int *in) {
    ASSERT(-10, dot((char4)(1, -2, 3, -4), (char4)(in[5])));
    ASSERT(1020, dot_4x8packed_uu_uint(0xffffffffu, 0x01010100u + (uint)in[1]));
}

kernel void test_sub_groups(global uint *record) {
    uint me = get_sub_group_local_id(), size = get_sub_group_size();
    ASSERT(7, sub_group_broadcast((uchar4)(4, 5, 6, 7), 0).w);
    ASSERT(size - 1, sub_group_reduce_max((ushort)me));
    ASSERT((me + 1) % size, sub_group_rotate(me, 1));
    ASSERT(size - 1 - me, sub_group_shuffle(me, size - 1 - me));
    ASSERT(me ^ 1, sub_group_shuffle_xor(me, 1));
    if (me > 0) ASSERT(me - 1, sub_group_shuffle_up(me, 1));
}

kernel void test_printf(global uint *record, global int *in) {
    size_t size = (size_t)in[1] << 40;
    ptrdiff_t difference = -(ptrdiff_t)size;
    ASSERT(1, (size >> 40) == 1);
    if (get_global_id(0) != 0) return;
    printf("%zu %zx %td %ti|%5zd|%d\n", size, size, difference, difference, (size_t)in[3], in[7]);
    // PRINTS: 1099511627776 10000000000 -1099511627776 -1099511627776|    3|7
}
