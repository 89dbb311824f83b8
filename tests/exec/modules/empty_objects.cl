// SPDX-License-Identifier: Apache-2.0
// Arrays of length 0 and structs without members: empty_objects.spvasm has the functions. A record is an int, an array
// without elements, a struct without members and an int; a list is an int and what follows it.
#include "assert.h"

int last_of(global int *record);
void copy_record(global int *to, global int *from);
int element_of(global int *list, int i);
void set_element(local int *list, int i, int value);
int private_element(int i, int value);

kernel void test_records(global uint *record, global int *in, global int *out) {
    ASSERT(5, last_of(in + 4));
    copy_record(out, in + 6);
    ASSERT(6, out[0]); ASSERT(7, out[1]);
}
kernel void test_lists(global uint *record, global int *in) {
    local int shared[4];
    ASSERT(3, element_of(in + 1, in[1])); ASSERT(9, element_of(in, in[8]));
    shared[in[2]] = 1;
    set_element(shared, in[1], 7);
    ASSERT(7, shared[in[2]]);
    ASSERT(8, private_element(in[2], in[8])); ASSERT(4, private_element(in[0], in[4]));
}
