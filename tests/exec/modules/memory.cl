// SPDX-License-Identifier: Apache-2.0
// Instructions on memory and pointers that compilers of OpenCL C seldom make: memory.spvasm has the functions.
#include "assert.h"

int copy_memory(global int *in);
void copy_sized(global int *to, global int *from);
int copy_object(int x);
int chosen_pointer(int which);
int joined_pointer(int which);
int pointer_difference(global int *in, int i, int j);
int ordered_sum(global int *sum, int scope, int order);
int pointer_equal(global int *in, int i, int j);
int insert_dynamic(int4 v, int x, uint i);
int nested(int i, int j);
int initialised(int i);
int private_copy(int4 v, uint i);
int past_first_member(int x, int i);
int past_first_array(int x, int i);
int misaligned(int x, int i);
int boolean_vector(global int *at, int4 v);
int maybe_nothing(int x, int which);
int generic_table(int i);
int untyped_call(int x, int y);

kernel void test_memory(global uint *record, global int *in, global int *out) {
    ASSERT(7, copy_memory(in));
    copy_sized(out + 5, in + 20);
    for (int i = 0; i < 7; i++) ASSERT(i < 5 ? 20 + i : 5 + i, out[5 + i]);
    ASSERT(4, out[4]);
    ASSERT(42, copy_object(in[42]));
    ASSERT(10, chosen_pointer(in[0])); ASSERT(20, chosen_pointer(in[1]));
    ASSERT(10, joined_pointer(in[0])); ASSERT(20, joined_pointer(in[1]));
    ASSERT(3, pointer_difference(in, in[5], in[2])); ASSERT(-3, pointer_difference(in, in[2], in[5]));
    ASSERT(1, pointer_equal(in, in[3], in[3])); ASSERT(0, pointer_equal(in, in[3], in[4]));
    for (uint i = 0; i < 4; i++) ASSERT(10 + 99 - (i + 1), insert_dynamic((int4)(in[1], in[2], in[3], in[4]), in[99], in[i]));
    ASSERT(21, nested(in[1], in[2])); ASSERT(3, nested(in[0], in[0]));
    ASSERT(5, initialised(in[0])); ASSERT(1, initialised(in[1])); ASSERT(9, initialised(in[3]));
    for (uint i = 0; i < 4; i++) ASSERT(i + 1, private_copy((int4)(in[1], in[2], in[3], in[4]), in[i]));
    for (int i = 0; i < 3; i++) ASSERT(i == 0 ? 99 : 0, past_first_member(in[99], in[i]));
    ASSERT(99, past_first_array(in[99], in[3])); ASSERT(7, past_first_array(in[99], in[4]));
    ASSERT(99 + 0x70000, past_first_array(in[99], in[6]));
    for (int i = 0; i < 3; i++) ASSERT(7 + (i == 1 ? 99 : i + 2 - i / 2), misaligned(in[99], in[i]));
}

// The scope and the order are no constants, and one operation is on memory of any kind.
kernel void test_order(global uint *record, global int *in, global int *out) {
    ASSERT(7, ordered_sum(out + in[0], in[1], in[16]));
    ASSERT(9, out[0]);
    out[1] = in[1] << 24 | in[1] << 8;
    ASSERT(0x6a, boolean_vector(out, (int4)(in[3], in[0], in[8], in[0]))); ASSERT(0x00010001, out[0]);
}

// Null pointers go where pointers to local memory do; constants are in the generic address space.
kernel void test_odd_pointers(global uint *record, global int *in) {
    ASSERT(99, maybe_nothing(in[99], in[3])); ASSERT(0, maybe_nothing(in[99], in[0]));
    ASSERT(1, maybe_nothing(in[99], in[1])); ASSERT(2, maybe_nothing(in[99], in[2]));
    ASSERT(6, generic_table(in[0])); ASSERT(2, generic_table(in[1])); ASSERT(10, generic_table(in[2]));
    ASSERT(14, generic_table(in[6])); ASSERT(18, generic_table(in[7]));
    ASSERT(34, untyped_call(in[3], in[4])); ASSERT(33, untyped_call(in[4], in[3]));
}
