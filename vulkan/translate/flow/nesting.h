// SPDX-License-Identifier: Apache-2.0
// Computes how deeply selections nest in a structured function.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/cfg.h"

namespace caldera::vulkan {

/// The number of selections around each block. Branches out of selections count as Mesa rewrites them: if a
/// selection may return, continue a loop or break out of a switch, the rest of the enclosing construct is put
/// in one more selection, as is each case behind a case that may do so. Breaks out of loops stay branches.
/// The numbers are wrong for a function that is not structured.
std::vector<uint32_t> nesting(const spirv::Function& function, const spirv::Cfg& cfg,
                              const spirv::Dominators& tree);

}  // namespace caldera::vulkan
