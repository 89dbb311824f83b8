// SPDX-License-Identifier: Apache-2.0
// Finds values that never live at the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Numbers the values that live at the end of a block in `ends`, in a function without phis. Values with the
/// same number have one type and never live at the same time, so they can share a variable. A pointer that
/// repair_dominance() computes again lets what it is computed from live as long. Values that live in very
/// many blocks have no number. `ends` has an entry for each block; a call at the end of such a block makes
/// its result behind that end.
spirv::IdMap<uint32_t> disjoint_lives(const spirv::Builder& builder, const spirv::Function& function,
                                      const std::vector<bool>& ends);

}  // namespace caldera::vulkan
