// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, their events, and prefetch.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define COPIES(T)                                                                                  \
    kernel void copy_##T(local T *l, global T *g, const global T *c) {                             \
        event_t e = async_work_group_copy(l, c, 10, 0);                                            \
        e = async_work_group_copy(g, l, 10, e);                                                    \
        wait_group_events(1, &e);                                                                  \
        event_t both[2];                                                                           \
        both[0] = async_work_group_strided_copy(l, g, 10, 3, (event_t)0);                          \
        both[1] = async_work_group_strided_copy(g, l, 10, 3, both[0]);                             \
        wait_group_events(2, both);                                                                \
        prefetch(c, 10);                                                                           \
    }
COPIES(float)  // 1.13.10-1 1.13.10-2 1.13.10-5 1.13.10-8 1.13.10-9
// CHECK: %copy_float = OpFunction
// CHECK: OpGroupAsyncCopy
// CHECK: %ulong_10 %ulong_1
// CHECK: OpGroupAsyncCopy
// CHECK: %ulong_10 %ulong_1
// CHECK: OpGroupWaitEvents %uint_2 %uint_1
// CHECK: OpGroupAsyncCopy
// CHECK: %ulong_10 %ulong_3
// CHECK: OpGroupAsyncCopy
// CHECK: %ulong_10 %ulong_3
// CHECK: OpGroupWaitEvents %uint_2 %uint_2
// CHECK: prefetch
COPIES(uchar16)
// CHECK: %copy_uchar16 = OpFunction
// CHECK: OpGroupAsyncCopy
// CHECK: prefetch
COPIES(double3)  // 1.13.10-3
// CHECK: %copy_double3 = OpFunction
// CHECK: OpGroupAsyncCopy
// CHECK: prefetch
event_t later(local int *l, const global int *g, event_t after) { return async_work_group_copy(l, g, 1, after); }
kernel void through_functions(local int *l, const global int *g) {
    event_t e = later(l, g, 0);
    wait_group_events(1, &e);
}
// CHECK: %through_functions = OpFunction
// CHECK: OpFunctionCall
// CHECK: OpGroupWaitEvents
