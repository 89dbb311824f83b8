// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Sub-group functions for which the device has no instruction: combine the values of the active work-items
// with local ids from `first` to `end`, one by one. All work-items go through the loop together, whatever
// their own bounds are.
#include "operations.h"

#define BY_SHUFFLES(operation, T, neutral)                                             \
    T OVERLOADABLE by_shuffles_##operation(T x, uint first, uint end) {                \
        uint4 active = sub_group_ballot(1);                                            \
        T result = neutral;                                                            \
        for (uint i = 0; i < get_max_sub_group_size(); i++) {                          \
            if (!sub_group_ballot_bit_extract(active, i)) continue;                    \
            T other = sub_group_shuffle(x, i);                                         \
            result = first <= i && i < end ? COMBINE_##operation(result, other) : result; \
        }                                                                              \
        return result;                                                                 \
    }
FOR_EACH_WORK_GROUP_OPERATION(BY_SHUFFLES)
FOR_EACH_OTHER_OPERATION(BY_SHUFFLES)
