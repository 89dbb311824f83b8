// SPDX-License-Identifier: Apache-2.0
// Values to variables: what a rewrite of the control flow wants before and after. promote_to_values() undoes it.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Replaces every phi by a Function variable: stored at the end of each predecessor, loaded where the phi was.
void demote_phis(spirv::Builder& builder, spirv::Function& function);

/// Mends a function without phis whose blocks were moved: a value that no longer dominates a use goes through a variable;
/// pointers that are only computed are computed again.
void repair_dominance(spirv::Builder& builder, spirv::Function& function);

/// A Function variable of `function`, before any other.
spirv::Id add_variable(spirv::Builder& builder, spirv::Function& function, spirv::Id type);

}  // namespace caldera::vulkan
