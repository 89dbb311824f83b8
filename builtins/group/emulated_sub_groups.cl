// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Sub-groups of a size that the device does not have: consecutive work-items in the order of the linear id. All
// work-items of the work-group come here together.
#include "operations.h"
#include "scratch.h"

static uint group_size(void) { return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2); }

// The value of the work-item with the linear id `from`, of which some may be beyond a partial sub-group.
uint emulated_sub_group_move(uint x, uint from) {
    local uint *values = group_values_uint();
    values[get_local_linear_id()] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint result = from < group_size() ? values[from] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

// Combines the values of the work-items with linear ids from `first` to `end`.
#define EMULATED(operation, T, neutral)                                                                \
    T OVERLOADABLE emulated_sub_group_##operation(T x, uint first, uint end) {                         \
        local T *values = group_values_##T();                                                          \
        values[get_local_linear_id()] = x;                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
        T result = neutral;                                                                            \
        end = min(end, group_size());                                                                  \
        for (uint i = first; i < end; i++) result = COMBINE_##operation(result, values[i]);            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
        return result;                                                                                 \
    }
FOR_EACH_WORK_GROUP_OPERATION(EMULATED)
FOR_EACH_OTHER_OPERATION(EMULATED)

// The work-items of this sub-group: fewer than `size` in the last one.
uint emulated_sub_group_size(uint size) {
    return min(size, group_size() - ((uint)get_local_linear_id() & ~(size - 1)));
}
uint emulated_sub_group_count(uint size) { return (group_size() - 1) / size + 1; }
uint emulated_sub_group_enqueued_count(uint size) {
    uint items = (uint)get_enqueued_local_size(0) * (uint)get_enqueued_local_size(1) * (uint)get_enqueued_local_size(2);
    return (items - 1) / size + 1;
}

// A bit for each number from `first` to `first + 31` that is below `end`.
uint emulated_sub_group_bits_below(uint end, uint first) {
    if (end <= first) return 0;
    return end - first >= 32 ? UINT_MAX : (1u << (end - first)) - 1;
}
uint emulated_sub_group_lowest_bit(uint low, uint high) { return low != 0 ? ctz(low) : 32 + ctz(high); }
uint emulated_sub_group_highest_bit(uint low, uint high) { return high != 0 ? 63 - clz(high) : 31 - clz(low); }
