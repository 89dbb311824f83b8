// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Work-group functions (OpenCL C 2.0 6.13.15) if the device has sub-group instructions for them: each
// sub-group's total goes through local memory. Scans need sub-groups in the order of the linear id.
#include "operations.h"
#include "scratch.h"

// These define HOW##_reduce_##operation and its scans. HOW##_totals combines the totals of the sub-groups below
// `end`, as COMBINE_TOTALS says. Each sub-group's last work-item knows its own.
#define BY_SUB_GROUPS(HOW, COMBINE_TOTALS, operation, T, neutral)                                                      \
    static T OVERLOADABLE HOW##_totals_##operation(T total, uint end) {                                                \
        local T *totals = group_totals_##T();                                                                          \
        if (get_sub_group_local_id() == get_sub_group_size() - 1) totals[get_sub_group_id()] = total;                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        T result = neutral;                                                                                            \
        COMBINE_TOTALS(operation, T, neutral)                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return result;                                                                                                 \
    }                                                                                                                  \
    T OVERLOADABLE HOW##_reduce_##operation(T x) {                                                                     \
        return HOW##_totals_##operation(sub_group_reduce_##operation(x), get_num_sub_groups());                        \
    }                                                                                                                  \
    T OVERLOADABLE HOW##_scan_inclusive_##operation(T x) {                                                             \
        T scan = sub_group_scan_inclusive_##operation(x);                                                              \
        return COMBINE_##operation(HOW##_totals_##operation(scan, get_sub_group_id()), scan);                          \
    }                                                                                                                  \
    T OVERLOADABLE HOW##_scan_exclusive_##operation(T x) {                                                             \
        T scan = sub_group_scan_exclusive_##operation(x), total = COMBINE_##operation(scan, x);                        \
        return COMBINE_##operation(HOW##_totals_##operation(total, get_sub_group_id()), scan);                         \
    }

// As many totals at once as the sub-group has work-items, which are few in a partial sub-group. All of these
// load a total, without a branch: Vulkan does not promise that the work-items of a sub-group come together
// again behind one, and sub_group_reduce would combine those of one side.
#define TOTALS_TOGETHER(operation, T, neutral)                                                                         \
    for (uint first = 0; first < get_num_sub_groups(); first += get_sub_group_size()) {                                \
        uint i = first + get_sub_group_local_id();                                                                     \
        T loaded = totals[min(i, get_num_sub_groups() - 1)];                                                           \
        result = COMBINE_##operation(result, sub_group_reduce_##operation(i < end ? loaded : (T)(neutral)));           \
    }
#define BY_SUB_GROUPS_TOGETHER(operation, T, neutral) BY_SUB_GROUPS(by_sub_groups, TOTALS_TOGETHER, operation, T, neutral)
FOR_EACH_WORK_GROUP_OPERATION(BY_SUB_GROUPS_TOGETHER)

// One total after the other: for compilers that get loops of group operations wrong. It takes 2 to 3 times as
// long on llvmpipe.
#define TOTALS_IN_TURN(operation, T, neutral) \
    for (uint i = 0; i < end; ++i) result = COMBINE_##operation(result, totals[i]);
#define BY_SUB_GROUPS_IN_TURN(operation, T, neutral) \
    BY_SUB_GROUPS(by_sub_groups_in_turn, TOTALS_IN_TURN, operation, T, neutral)
FOR_EACH_WORK_GROUP_OPERATION(BY_SUB_GROUPS_IN_TURN)
