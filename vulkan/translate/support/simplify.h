// SPDX-License-Identifier: Apache-2.0
// Cheap simplification of a whole function.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Folds instructions, phis with one value and branches on constants, until nothing changes. Also removes
/// unreachable blocks, empty arms of selections and needless blocks. A structured function stays structured.
/// Returns whether anything changed.
bool fold_function(spirv::Builder& builder, spirv::Function& function);

/// The same for what depends on some values alone. Other instructions stay as they are, also where
/// fold_function() would fold them. `values` receives the constants that they and what depends on them
/// became.
bool fold_dependents(spirv::Builder& builder, spirv::Function& function, spirv::IdSet& values);

}  // namespace caldera::vulkan
