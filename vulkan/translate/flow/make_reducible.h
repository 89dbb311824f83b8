// SPDX-License-Identifier: Apache-2.0
// Gives loops with several entries a single one.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Gives each cycle with several entries a single one: a dispatch block that switches on a variable, which is
/// set on every edge to an entry. No block is copied. The function must have no phis and no merge
/// instructions.
void make_reducible(spirv::Builder& builder, spirv::Function& function);

}  // namespace caldera::vulkan
