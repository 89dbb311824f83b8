// SPDX-License-Identifier: Apache-2.0
// atomic_double: 1.13.11-28.
// OPTIONS: -cl-std=CL2.0
// NEEDS: double
// NEEDS: 64-bit atomics
// RUN: global=64 local=16
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#include "assert.h"

#define A atomic_double
#define C double
#define SPACE global
#include "atomic_values.h"
#undef SPACE
#define SPACE local
#include "atomic_values.h"
#undef SPACE
#define SPACE generic
#include "atomic_values.h"

kernel void test_doubles(global uint *record, global int *in, global atomic_double *there) {
    local atomic_double here[16];
    double unit = in[1] * 0.1;
    values(record, there + get_global_id(0), unit);
    values(record, here + get_local_id(0), unit);
    values(record, in[get_global_id(0)] & 1 ? (generic atomic_double *)&here[get_local_id(0)] : there + get_global_id(0), unit);
}
