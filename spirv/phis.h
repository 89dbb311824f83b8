// SPDX-License-Identifier: Apache-2.0
// Phis: which a block has, and what they say of its predecessors.
#pragma once

#include <span>
#include <vector>

#include "spirv/module.h"

namespace caldera::spirv {

/// The phis with which a block's body begins. Valid until the body changes its length.
std::span<Instruction> phis_of(std::vector<Instruction>& body);
std::span<const Instruction> phis_of(const std::vector<Instruction>& body);

/// The value of a phi where control comes from `predecessor`; none if the phi does not name it.
Id value_from(const Instruction& phi, Id predecessor);

/// Makes the block's phis name `to` where they named `from`.
void rename_predecessor(Block& block, Id from, Id to);

/// Takes `predecessor` and its values from the block's phis.
void drop_predecessor(Block& block, Id predecessor);

}  // namespace caldera::spirv
