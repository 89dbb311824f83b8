// SPDX-License-Identifier: Apache-2.0
// Turns variables into SSA values: Cytron et al. 1991, pruned by liveness.
#pragma once

#include <functional>

#include "spirv/builder.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Replaces every Function variable of `function` that is only loaded and stored whole, and is not volatile,
/// by values. A read before any write becomes OpUndef. Removes OpCopyObject, too. Returns whether anything
/// changed.
bool promote_to_values(spirv::Builder& builder, spirv::Function& function);
/// The same for the variables whose type `is_wanted` takes.
bool promote_to_values(spirv::Builder& builder, spirv::Function& function,
                       const std::function<bool(spirv::Id type)>& is_wanted);

/// Splits aggregates into variables for their parts, promotes and folds, until nothing more can be promoted.
void promote_function(spirv::Builder& builder, const OpenclLayout& layout, spirv::Function& function);

}  // namespace caldera::vulkan
