// SPDX-License-Identifier: Apache-2.0
// Structured control flow as SPIR-V 2.11 has it: which construct a block is in, and whether the rules hold.
#pragma once

#include <string>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// A construct is named by its header block: the one with the merge instruction.
struct Structure {
    /// The first rule that is broken, in words; empty when the function is structured. It is stricter than the
    /// specification where the specification's editions differ.
    std::string fault = {};
    /// block -> header of the innermost construct around it, the one it heads left out; kNoBlock outside all.
    /// Means something only for a function without fault.
    std::vector<uint32_t> enclosing = {};
};
Structure check_structure(const spirv::Function& function, const spirv::Cfg& cfg,
                          const spirv::Dominators& tree);

/// The continue targets of loops of several blocks.
spirv::IdSet continue_targets(const spirv::Function& function);

/// Whether a structured function has one return, at its end and outside all constructs.
bool returns_at_end(const spirv::Function& function);

}  // namespace caldera::vulkan
