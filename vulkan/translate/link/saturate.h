// SPDX-License-Identifier: Apache-2.0
// Saturated conversions, while they still are one instruction and a decoration.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// SaturatedConversion of OpUConvert and OpSConvert becomes OpenCL.std's u_min and s_clamp before them: what folds, shares or
/// moves instructions looks at no decorations. (Other saturated conversions are left alone by all that.)
void spell_out_saturation(spirv::Module& module);

}  // namespace caldera::vulkan
