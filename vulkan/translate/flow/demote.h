// SPDX-License-Identifier: Apache-2.0
// Moves values to variables before and after rewrites of the control flow. promote_to_values() reverts this.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Replaces every phi by a Function variable, which is stored at the end of each predecessor and loaded in
/// place of the phi.
void demote_phis(spirv::Builder& builder, spirv::Function& function);

/// Repairs a function without phis whose blocks were moved. A value that no longer dominates a use is passed
/// through a variable; a computed pointer is computed again at the use.
void repair_dominance(spirv::Builder& builder, spirv::Function& function);

/// Adds a Function variable to `function`, as the first one.
spirv::Id add_variable(spirv::Builder& builder, spirv::Function& function, spirv::Id type);

}  // namespace caldera::vulkan
