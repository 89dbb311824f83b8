// SPDX-License-Identifier: Apache-2.0
// Addresses of built-in variables that are passed, chosen and stored: passed_built_ins.spvasm has the functions.
// RUN: global=1 local=1
// RUN: global=4,3,10 local=2,3,5 offset=0,0,7
#include "assert.h"

ulong passed(uint i);
ulong joined(uint is_local);
ulong selected(uint is_local);
ulong stored(uint i);
uint loaded(void);

kernel void test_passed(global uint *record, global int *in) {
    ASSERT(get_global_id(0), passed(in[0]));
    ASSERT(get_global_id(1), passed(in[1]));
    ASSERT(get_global_id(2), passed(in[2]));
    ASSERT(get_work_dim(), loaded());
}

kernel void test_chosen(global uint *record, global int *in) {
    ASSERT(get_global_id(1), joined(in[0]));
    ASSERT(get_local_id(1), joined(in[1]));
    ASSERT(get_global_id(2), selected(in[0]));
    ASSERT(get_local_id(2), selected(in[1]));
}

kernel void test_stored(global uint *record, global int *in) {
    ASSERT(get_local_id(0), stored(in[0]));
    ASSERT(get_local_id(2), stored(in[2]));
}
