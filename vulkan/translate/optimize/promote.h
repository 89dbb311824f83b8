// SPDX-License-Identifier: Apache-2.0
// Variables to SSA values: Cytron et al. 1991, pruned by liveness.
#pragma once

#include "spirv/builder.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Replaces every Function variable of `function` that is only loaded and stored whole, not volatile, by values. A read
/// before any write is OpUndef. OpCopyObject goes too. Returns whether anything changed.
bool promote_to_values(spirv::Builder& builder, spirv::Function& function);

/// Splits aggregates into variables for their parts, promotes and folds, until nothing is left to promote.
void promote_function(spirv::Builder& builder, const OpenclLayout& layout, spirv::Function& function);

}  // namespace caldera::vulkan
