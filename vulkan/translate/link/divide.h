// SPDX-License-Identifier: Apache-2.0
// Divisions of float and half within OpenCL's error bounds (OpenCL C 3.0 7.4). Vulkan's divisions keep them
// for some divisors only.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Emits code for the OpFDiv, with its result id. Returns false if the instruction can stay: for doubles, and
/// for constant divisors for which Vulkan guarantees 2.5 ulp or that are zero (or denormal, where those may
/// be flushed), infinite or NaN.
bool emit_division(spirv::Builder& builder, const spirv::Instruction& division, bool denorms_are_zero);

}  // namespace caldera::vulkan
