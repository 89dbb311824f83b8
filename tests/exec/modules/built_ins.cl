// SPDX-License-Identifier: Apache-2.0
// Built-in variables in the storage that llvm-spirv gives them: built_ins.spvasm has the functions.
// RUN: global=1 local=1
// RUN: global=96 local=48
// RUN: global=4,3,10 local=2,3,5 offset=0,0,7
#include "assert.h"

ulong local_x(void);
ulong global_z(void);
uint lane(void);
uint lanes(void);
uint dimensions(void);
uint group_z(void);
ulong group_y(void);
ulong size_y(void);
ulong size_z(void);

kernel void test_built_ins(global uint *record) {
    ASSERT(get_local_id(0), local_x());
    ASSERT(get_global_id(2), global_z());
    ASSERT(get_work_dim(), dimensions());
}

kernel void test_bytes(global uint *record) {
    ASSERT(get_group_id(2), group_z());
    ASSERT(get_group_id(1), group_y());
    ASSERT(get_local_size(1), size_y());
    ASSERT(get_local_size(2), size_z());
}

kernel void test_sub_groups(global uint *record) {
    ASSERT(get_sub_group_local_id(), lane());
    ASSERT(get_max_sub_group_size(), lanes());
}
