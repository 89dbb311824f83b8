// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Work-group functions (OpenCL C 2.0 6.13.15) for any device: the values are in local memory, in the order of
// the linear id.
#include "operations.h"
#include "scratch.h"

static uint group_size(void) { return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2); }

// by_local_memory_##operation returns the value of an inclusive scan at the linear id `at` (Hillis and Steele
// 1986).
#define BY_LOCAL_MEMORY(operation, T, neutral)                                                                         \
    static T OVERLOADABLE by_local_memory_##operation(T x, uint at) {                                                  \
        local T *values = group_values_##T();                                                                          \
        uint me = get_local_linear_id(), size = group_size();                                                          \
        values[me] = x;                                                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        for (uint step = 1; step < size; step *= 2) {                                                                  \
            T before = me >= step ? values[me - step] : (T)(neutral);                                                  \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            x = COMBINE_##operation(before, x);                                                                        \
            values[me] = x;                                                                                            \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
        }                                                                                                              \
        T result = at < size ? values[at] : (T)(neutral);                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return result;                                                                                                 \
    }                                                                                                                  \
    T OVERLOADABLE by_local_memory_reduce_##operation(T x) {                                                           \
        return by_local_memory_##operation(x, group_size() - 1);                                                       \
    }                                                                                                                  \
    T OVERLOADABLE by_local_memory_scan_inclusive_##operation(T x) {                                                   \
        return by_local_memory_##operation(x, get_local_linear_id());                                                  \
    }                                                                                                                  \
    T OVERLOADABLE by_local_memory_scan_exclusive_##operation(T x) {                                                   \
        return by_local_memory_##operation(x, (uint)get_local_linear_id() - 1);                                        \
    }
FOR_EACH_WORK_GROUP_OPERATION(BY_LOCAL_MEMORY)
FOR_EACH_OTHER_OPERATION(BY_LOCAL_MEMORY)

// The value of the work-item whose linear id is `id`.
#define BROADCAST(T)                                              \
    T OVERLOADABLE by_local_memory_broadcast(T x, uint id) {      \
        local T *box = group_totals_##T();                        \
        if ((uint)get_local_linear_id() == id) *box = x;          \
        barrier(CLK_LOCAL_MEM_FENCE);                             \
        T result = *box;                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                             \
        return result;                                            \
    }
BROADCAST(uint)
BROADCAST(ulong)

uint group_linear_id(uint x, uint y, uint z) {
    return x + (uint)get_local_size(0) * (y + (uint)get_local_size(1) * z);
}
