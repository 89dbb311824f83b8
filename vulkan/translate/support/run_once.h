// SPDX-License-Identifier: Apache-2.0
// blocks_run_once(): the blocks of a kernel that are in no loop.
#pragma once

#include <vector>

#include "spirv/cfg.h"
#include "spirv/module.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

/// Which blocks a work-item runs at most once, by index: those of a kernel that are in no loop. Loops may be
/// around the calls of other functions.
inline std::vector<bool> blocks_run_once(const spirv::Module& module, const spirv::Function& function) {
    std::vector<bool> once(function.blocks.size());
    if (function.blocks.empty() || !is_kernel(module, function.id())) return once;
    const spirv::Cfg cfg = spirv::build_cfg(function);
    const spirv::Loops loops = spirv::find_loops(cfg, spirv::dominators(cfg));
    if (!loops.reducible) return once;
    for (const uint32_t block : cfg.order) once[block] = loops.innermost[block] == spirv::kNoBlock;
    return once;
}

}  // namespace caldera::vulkan
