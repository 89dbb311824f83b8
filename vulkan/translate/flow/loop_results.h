// SPDX-License-Identifier: Apache-2.0
// Values that are used after the loop which makes them.
#pragma once

#include <cstdint>

#include "spirv/cfg.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Calls visit(operand, block) for every use of a value in a reachable block, an index. A phi uses its
/// operands in the blocks that they come from.
template <class Visit>
void for_each_use(spirv::Function& function, const spirv::Cfg& cfg, Visit&& visit) {
    for (const uint32_t b : cfg.order) {
        spirv::Block& block = function.blocks[b];
        const auto uses = [&](spirv::Instruction& inst) {
            const bool is_phi = inst.op == spv::Op::OpPhi;
            for (size_t i = 0; i < inst.operands.size(); i += is_phi ? 2 : 1)
                if (inst.operands[i].is_id) visit(inst.operands[i], is_phi ? cfg.block(inst.id(i + 1)) : b);
        };
        for (spirv::Instruction& inst : block.body) uses(inst);
        uses(block.terminator);
    }
}

/// The phi by which `value` leaves a loop with the merge block `merge`.
inline spirv::Instruction phi_behind(const spirv::Function& function, const spirv::Cfg& cfg,
                                     const spirv::Dominators& tree, uint32_t merge, spirv::Id value,
                                     spirv::Id type, spirv::Id result) {
    spirv::Instruction phi{.op = spv::Op::OpPhi, .type = type, .result = result};
    for (const uint32_t predecessor : cfg.predecessors[merge]) {
        // The merge block may itself head a loop, from whose end it is reached as well.
        phi.operands.push_back(tree.dominates(merge, predecessor) ? result : value);
        phi.operands.push_back(function.blocks[predecessor].label);
    }
    return phi;
}

}  // namespace caldera::vulkan
