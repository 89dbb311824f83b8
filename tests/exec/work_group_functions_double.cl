// SPDX-License-Identifier: Apache-2.0
// Work-group functions (OpenCL C 2.0 6.13.15) of double and half.
// OPTIONS: -cl-std=CL2.0
// NEEDS: double
// RUN: global=8 local=8
// RUN: global=41 local=41
// RUN: global=9,20 local=9,10
#include "assert.h"

// 1.13.15-5
#define CHECK(T)                                                                                                  \
    {                                                                                                             \
        uint me = get_local_linear_id(), size = get_local_size(0) * get_local_size(1);                            \
        T x = (T)(int)((me * 5 + 2) % 7) - (T)3.5;                                                                \
        T sum = 0, least = INFINITY, most = -INFINITY, before[3] = {0, INFINITY, -INFINITY};                      \
        for (uint i = 0; i < size; i++) {                                                                         \
            T y = (T)(int)((i * 5 + 2) % 7) - (T)3.5;                                                             \
            if (i == me) before[0] = sum, before[1] = least, before[2] = most;                                    \
            sum += y;                                                                                             \
            least = fmin(least, y);                                                                               \
            most = fmax(most, y);                                                                                 \
        }                                                                                                         \
        ASSERT_BITS(as_uint((float)sum), work_group_reduce_add(x));                                               \
        ASSERT_BITS(as_uint((float)least), work_group_reduce_min(x));                                             \
        ASSERT_BITS(as_uint((float)most), work_group_reduce_max(x));                                              \
        ASSERT_BITS(as_uint((float)before[0]), work_group_scan_exclusive_add(x));                                 \
        ASSERT_BITS(as_uint((float)before[1]), work_group_scan_exclusive_min(x));                                 \
        ASSERT_BITS(as_uint((float)before[2]), work_group_scan_exclusive_max(x));                                 \
        ASSERT_BITS(as_uint((float)(before[0] + x)), work_group_scan_inclusive_add(x));                           \
        ASSERT_BITS(as_uint((float)fmin(before[1], x)), work_group_scan_inclusive_min(x));                        \
        ASSERT_BITS(as_uint((float)fmax(before[2], x)), work_group_scan_inclusive_max(x));                        \
        T last = work_group_broadcast(x, get_local_size(0) - 1, get_local_size(1) - 1);                           \
        ASSERT_BITS(as_uint((float)((int)(((size - 1) * 5 + 2) % 7) - 3.5f)), last);                              \
    }
kernel void test_double(global uint *record) CHECK(double)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test_half(global uint *record) CHECK(half)
#endif

// A double's lower half counts.
kernel void test_small_differences(global uint *record, global int *in) {
    double x = 1 + in[get_local_linear_id()] * 0x1p-50;
    uint last = get_local_size(0) * get_local_size(1) - 1;
    ASSERT_LONG(as_ulong(1 + last * 0x1p-50), as_ulong(work_group_reduce_max(x)));
    ASSERT_LONG(as_ulong(1.0), as_ulong(work_group_reduce_min(x)));
}
