// SPDX-License-Identifier: Apache-2.0
// The order of types, constants and variables of a module.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Moves constants behind what they are made of, as llvm-spirv may not. Types that contain themselves by a
/// declared pointer stay as they are. Returns whether anything changed.
bool mend_global_order(spirv::Module& module);

}  // namespace caldera::vulkan
