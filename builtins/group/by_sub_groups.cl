// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Work-group functions (OpenCL C 2.0 6.13.15) if the device has sub-group instructions for them: each
// sub-group's total goes through local memory. Scans need sub-groups in the order of the linear id.
#include "operations.h"
#include "scratch.h"

// by_sub_groups_totals combines the totals of the sub-groups below `end`; each sub-group's last work-item
// knows its own. It combines as many at once as the sub-group has work-items, which are few in a partial
// sub-group. All of these load a total, without a branch: Vulkan does not promise that the work-items of a
// sub-group come together again behind one, and sub_group_reduce would combine those of one side.
#define BY_SUB_GROUPS(operation, T, neutral)                                                                           \
    static T OVERLOADABLE by_sub_groups_totals_##operation(T total, uint end) {                                        \
        local T *totals = group_totals_##T();                                                                          \
        if (get_sub_group_local_id() == get_sub_group_size() - 1) totals[get_sub_group_id()] = total;                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        T result = neutral;                                                                                            \
        for (uint first = 0; first < get_num_sub_groups(); first += get_sub_group_size()) {                            \
            uint i = first + get_sub_group_local_id();                                                                 \
            T loaded = totals[min(i, get_num_sub_groups() - 1)];                                                       \
            result = COMBINE_##operation(result, sub_group_reduce_##operation(i < end ? loaded : (T)(neutral)));       \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return result;                                                                                                 \
    }                                                                                                                  \
    T OVERLOADABLE by_sub_groups_reduce_##operation(T x) {                                                             \
        return by_sub_groups_totals_##operation(sub_group_reduce_##operation(x), get_num_sub_groups());                \
    }                                                                                                                  \
    T OVERLOADABLE by_sub_groups_scan_inclusive_##operation(T x) {                                                     \
        T scan = sub_group_scan_inclusive_##operation(x);                                                              \
        return COMBINE_##operation(by_sub_groups_totals_##operation(scan, get_sub_group_id()), scan);                  \
    }                                                                                                                  \
    T OVERLOADABLE by_sub_groups_scan_exclusive_##operation(T x) {                                                     \
        T scan = sub_group_scan_exclusive_##operation(x), total = COMBINE_##operation(scan, x);                        \
        return COMBINE_##operation(by_sub_groups_totals_##operation(total, get_sub_group_id()), scan);                 \
    }
FOR_EACH_WORK_GROUP_OPERATION(BY_SUB_GROUPS)
