// SPDX-License-Identifier: Apache-2.0
// Cheap simplification of a whole function.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Folds instructions, phis with one value and branches on constants, until nothing changes. Also removes
/// unreachable blocks, empty arms of selections and needless blocks. A structured function stays structured.
/// Returns whether anything changed.
bool fold_function(spirv::Builder& builder, spirv::Function& function);

}  // namespace caldera::vulkan
