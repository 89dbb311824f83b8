// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Kernels of one file that have much local memory of different kinds. Pointers that become integers may point to the
// local memory of any kernel, and each kernel asks for its own alone. 1.5.2-2
// RUN: global=16 local=8
#include "assert.h"

kernel void test_arguments(global uint *record, local int *a, local int *b, global int *in) {
    int id = get_local_id(0), other = (id + 1) % 8;
    size_t places[2] = {(size_t)(a + id), (size_t)(b + 255 - id)};
    *(local int *)places[in[0]] = id + 1;
    *(local int *)places[in[1]] = id - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(other + 1, a[other]); ASSERT(other - 1, b[255 - other]);
}

// Nearly as much as devices have.
kernel void test_integers_and_array(global uint *record, global int *in) {
    local int a[7700];
    int id = get_local_id(0);
    size_t places[2] = {(size_t)(a + id), (size_t)(a + 7699 - id)};
    *(local int *)places[in[0]] = id;
    *(local int *)places[in[1]] = -id;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT((id + 1) % 8, a[(id + 1) % 8]); ASSERT(-((id + 1) % 8), a[7699 - (id + 1) % 8]);
}
