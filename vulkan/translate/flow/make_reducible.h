// SPDX-License-Identifier: Apache-2.0
// Loops with several entries get one.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Gives each cycle that can be entered at several blocks a single entry: a dispatch block that switches on a variable,
/// which every edge to an entry sets first. No block is copied. The function has no phis and no merge instructions.
void make_reducible(spirv::Builder& builder, spirv::Function& function);

}  // namespace caldera::vulkan
