// SPDX-License-Identifier: Apache-2.0
// Scalar replacement: private structs, small arrays and unions of scalars of equal size become one variable
// per part.
#pragma once

#include "spirv/builder.h"
#include "vulkan/translate/optimize/split_analysis.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Splits Function variables of `function` that are accessed at constant offsets, so that every access to a
/// part is a whole load or store of its own variable. A part that is indexed at run time, or whose address
/// escapes, stays one variable. Copies of up to 64 parts become loads and stores. Returns whether anything
/// changed. `leaving` says what the functions that it calls do with its pointers.
bool split_aggregates(spirv::Builder& builder, const OpenclLayout& layout, spirv::Function& function,
                      const spirv::IdMap<Leaving>& leaving);

}  // namespace caldera::vulkan
