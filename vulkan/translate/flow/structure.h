// SPDX-License-Identifier: Apache-2.0
// Structured control flow as in SPIR-V 2.11: which construct contains a block, and whether the rules are
// obeyed.
#pragma once

#include <string>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// A construct is identified by its header block, the one with the merge instruction.
struct Structure {
    /// Describes the first violated rule; empty if the function is structured. The check is stricter than the
    /// specification where its editions differ.
    std::string fault = {};
    /// block -> header of the innermost construct around it, not counting the one that the block itself
    /// heads; kNoBlock outside all constructs. Valid only for a function without fault.
    std::vector<uint32_t> enclosing = {};
};
Structure check_structure(const spirv::Function& function, const spirv::Cfg& cfg,
                          const spirv::Dominators& tree);

/// The continue targets of loops with several blocks.
spirv::IdSet continue_targets(const spirv::Function& function);

/// Whether a structured function has just one return, at its end and outside all constructs.
bool returns_at_end(const spirv::Function& function);

}  // namespace caldera::vulkan
