// SPDX-License-Identifier: Apache-2.0
// Divisions of float and half within OpenCL's bounds (OpenCL C 3.0 7.4), which Vulkan's are for some divisors only.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Emits the OpFDiv as it must be, with its result; false where the instruction is right as it stands: doubles, and constant
/// divisors in the range where Vulkan promises 2.5 ulp, zero (denormals too where they may be flushed), infinite or NaN.
bool emit_division(spirv::Builder& builder, const spirv::Instruction& division, bool denorms_are_zero);

}  // namespace caldera::vulkan
