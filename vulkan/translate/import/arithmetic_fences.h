// SPDX-License-Identifier: Apache-2.0
// Fences of SPV_EXT_arithmetic_fence: -fprotect-parens and __arithmetic_fence() of clang.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Gives the computations whose values are fenced the FPFastMathMode None, so that neither a device's
/// compiler nor a pass combines them with what uses the fence (float_freedom.h). A computation is found
/// through copies, choices, parts, variables and calls. Before: verify() has passed. The fences themselves
/// stay.
void fence_arithmetic(spirv::Module& module);

}  // namespace caldera::vulkan
