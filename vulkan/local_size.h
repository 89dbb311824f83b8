// SPDX-License-Identifier: Apache-2.0
// The local size of an NDRange whose program leaves it open. The runtime chooses it (C++), and kernels that
// ask for the size of a block's work-group have to find the same (builtins/enqueue, OpenCL C). For blocks
// that cannot tell (Kernel::ignores_groups) the runtime may choose another one.
#pragma once

#include "../include/caldera/device_abi.h"  // for tests of OpenCL C, which have no folder to search

#ifdef __cplusplus
namespace caldera::vulkan {
#endif

struct Extent3 {
    uint64_t in[3];  ///< by dimension
};

/// Up to 256 work-items, a power of two in each dimension, the first dimension widest: neighbours in memory
/// are neighbours in a sub-group. What does not divide is left to an edge region. Ranges of a few work-items
/// have no edges: each local size is a pipeline that the driver compiles, which takes longer than such a
/// range.
///
/// `max_group`: the most work-items of a work-group; `max_local`: those in each dimension. Dimensions that
/// the range does not have get 1.
static inline struct Extent3 choose_local_extent(uint32_t dimensions, struct Extent3 size, uint64_t max_group,
                                                 struct Extent3 max_local) {
    const uint64_t few = 64;
    const uint64_t first = dimensions == 1 ? 256 : dimensions == 2 ? 16 : 8;
    const uint64_t second = dimensions == 2 ? 16 : 8;
    const uint64_t largest[3] = {first, second, 4};
    struct Extent3 chosen = {{1, 1, 1}};
    uint64_t work_items = 1;
    for (uint32_t d = 0; d < dimensions && d < 3; d++) work_items *= size.in[d] <= few ? size.in[d] : few + 1;
    const bool is_small = work_items <= few;
    uint64_t budget = max_group < 256 ? max_group : 256;
    for (uint32_t d = 0; d < dimensions && d < 3; d++) {
        uint64_t limit = largest[d] < budget ? largest[d] : budget;
        if (max_local.in[d] < limit) limit = max_local.in[d];
        while (chosen.in[d] * 2 <= limit && chosen.in[d] < size.in[d] &&
               (!is_small || size.in[d] % (chosen.in[d] * 2) == 0))
            chosen.in[d] *= 2;
        budget /= chosen.in[d];
    }
    return chosen;
}

/// Whether a work-group of this size is within the limits. A size of 0 in a dimension is not.
static inline bool extent_fits(struct Extent3 size, uint64_t max_group, struct Extent3 max_local) {
    for (uint32_t d = 0; d < 3; d++) {
        if (size.in[d] == 0 || size.in[d] > max_group || size.in[d] > max_local.in[d]) return false;
        max_group /= size.in[d];
    }
    return true;
}

#ifdef __cplusplus
}  // namespace caldera::vulkan
#endif
