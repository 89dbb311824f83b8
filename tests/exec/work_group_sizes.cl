// SPDX-License-Identifier: Apache-2.0
// Work-group functions (OpenCL C 2.0 6.13.15) in work-groups of very many sizes and shapes.
// OPTIONS: -cl-std=CL2.0
// RUN: global=1 local=1
// RUN: global=2 local=2
// RUN: global=3 local=3
// RUN: global=5 local=5
// RUN: global=7 local=7
// RUN: global=8 local=8
// RUN: global=9 local=9
// RUN: global=13 local=13
// RUN: global=16 local=16
// RUN: global=17 local=17
// RUN: global=31 local=31
// RUN: global=32 local=32
// RUN: global=33 local=33
// RUN: global=61 local=61
// RUN: global=64 local=64
// RUN: global=67 local=67
// RUN: global=96 local=96
// RUN: global=127 local=127
// RUN: global=128 local=128
// RUN: global=131 local=131
// RUN: global=251 local=251
// RUN: global=256 local=256
// RUN: global=257 local=257
// RUN: global=509 local=509
// RUN: global=512 local=512
// RUN: global=521 local=521
// RUN: global=768 local=768
// RUN: global=997 local=997
// RUN: global=1000 local=1000
// RUN: global=1021 local=1021
// RUN: global=1023 local=1023
// RUN: global=1024 local=1024
// RUN: global=2,2 local=2,2
// RUN: global=7,5 local=7,5
// RUN: global=13,11 local=13,11
// RUN: global=3,331 local=3,331
// RUN: global=32,31 local=32,31
// RUN: global=1,1021 local=1,1021
// RUN: global=31,33 local=31,33
// RUN: global=1,1,61 local=1,1,61
// RUN: global=2,3,5 local=2,3,5
// RUN: global=7,11,13 local=7,11,13
// RUN: global=5,5,5 local=5,5,5
// RUN: global=16,8,8 local=16,8,8
// RUN: global=1,17,59 local=1,17,59
// RUN: global=31,3,11 local=31,3,11
#include "assert.h"

kernel void test_sizes(global uint *record, global uint *in) {
    uint me = in[get_local_linear_id()];
    uint size = get_local_size(0) * get_local_size(1) * get_local_size(2);
    ASSERT(me * (me + 1) / 2, work_group_scan_inclusive_add(me));                   // 1.13.15-6
    ASSERT(me == 0 ? UINT_MAX : size - me, work_group_scan_exclusive_min(size - 1 - me));
    ASSERT_LONG((long)(size - 1) << 32, work_group_reduce_max((long)me << 32));     // 1.13.15-4
    ASSERT(1, work_group_all(me < size) != 0);
    uint width = get_local_size(0), height = get_local_size(1), row = size / 2 / width;
    ASSERT(size / 2, work_group_broadcast(me, size / 2 % width, row % height, row / height));  // 1.13.15-3
}
