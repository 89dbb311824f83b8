// SPDX-License-Identifier: Apache-2.0
// How deep selections nest in a structured function.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/cfg.h"

namespace caldera::vulkan {

/// The number of selections around each block, where jumps are counted as Mesa rewrites them: behind a selection that may return,
/// continue a loop or break out of a switch, the rest of what is left so is in one more. Breaks out of loops stay jumps. Wrong
/// numbers for a function that is not structured.
std::vector<uint32_t> nesting(const spirv::Function& function, const spirv::Cfg& cfg,
                              const spirv::Dominators& tree);

}  // namespace caldera::vulkan
