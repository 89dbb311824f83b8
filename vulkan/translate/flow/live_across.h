// SPDX-License-Identifier: Apache-2.0
// How much lives across calls.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// For each of `groups` groups of calls, the components of values that are made before one of its calls and
/// used behind it, of the call where they are most: what lives across other calls shares their variables
/// (disjoint_lives.h). `group_of` has the groups by the calls' results. Values that the entry block makes
/// before all of these calls do not count: once calls are merged, the block still dominates everything.
std::vector<uint64_t> live_across(const spirv::Builder& builder, const spirv::Function& function,
                                  const spirv::IdMap<uint32_t>& group_of, size_t groups);

}  // namespace caldera::vulkan
