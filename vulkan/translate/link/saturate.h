// SPDX-License-Identifier: Apache-2.0
// Expands saturated conversions, which are one instruction with a decoration.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Puts OpenCL.std's u_min and s_clamp before OpUConvert and OpSConvert in place of SaturatedConversion,
/// because code that folds, shares or moves instructions ignores decorations. (Such code leaves other
/// saturated conversions unchanged.)
void spell_out_saturation(spirv::Module& module);

}  // namespace caldera::vulkan
