// SPDX-License-Identifier: Apache-2.0
// Cheap simplification of a whole function.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Folds instructions, phis of one value and branches on constants, until nothing changes; blocks that are no longer
/// reached go, empty arms of selections and needless blocks too. A structured function stays one. Returns whether anything
/// changed.
bool fold_function(spirv::Builder& builder, spirv::Function& function);

}  // namespace caldera::vulkan
