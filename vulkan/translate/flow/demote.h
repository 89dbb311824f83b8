// SPDX-License-Identifier: Apache-2.0
// Moves values to variables before and after rewrites of the control flow. promote_to_values() reverts this.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Replaces every phi by a Function variable, which is stored at the end of each predecessor and loaded in
/// place of the phi. Phis of two blocks share variables if the blocks have no predecessor in common.
/// Otherwise all of them would seem to live at once where many ways are joined and part again.
void demote_phis(spirv::Builder& builder, spirv::Function& function);

/// Repairs a function without phis whose blocks were moved. A value that no longer dominates a use is passed
/// through a variable; a computed pointer is computed again at the use. Values with the same number in
/// `shared` go through one variable (disjoint_lives.h), and others have one each.
void repair_dominance(spirv::Builder& builder, spirv::Function& function,
                      const spirv::IdMap<uint32_t>& shared = {});

/// Whether repair_dominance() computes the instruction's result again: a pointer to private or local memory
/// must not go through a variable, because afterwards no analysis could find its object. It does so for at
/// most kMostComputedAgain pointers, each computed from the one before.
bool is_computed_again(const spirv::Builder& builder, const spirv::Instruction& inst);
constexpr int kMostComputedAgain = 16;

/// Adds a Function variable to `function`, as the first one.
spirv::Id add_variable(spirv::Builder& builder, spirv::Function& function, spirv::Id type);

}  // namespace caldera::vulkan
