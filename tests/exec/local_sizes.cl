// SPDX-License-Identifier: Apache-2.0
// The local size that the library chooses for a block is the one that the runtime chooses: the same cases as its unit test.
#include "../../vulkan/local_size.h"
#include "assert.h"

kernel void test_cases(global uint *record, global int *in) {
    struct Extent3 got;
#define CASE(dimensions, x, y, z, max_group, max_local, local_x, local_y, local_z)          \
    got = choose_local_extent(dimensions, (struct Extent3){{(x) + in[0], y, z}}, max_group, \
                              (struct Extent3){{max_local, max_local, max_local}});         \
    ASSERT(local_x, got.in[0]); ASSERT(local_y, got.in[1]); ASSERT(local_z, got.in[2]);
#include "../support/local_size_cases.def"
}
