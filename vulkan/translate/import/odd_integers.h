// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Integers of other widths than 8, 16, 32 and 64 bits, which LLVM's optimiser makes and llvm-spirv writes with
/// SPV_INTEL_arbitrary_precision_integers, become integers of 32 or 64 bits whose upper bits are zero; the bits of a vector
/// of bool (OpBitcast, which SPIR-V does not allow there) are put together one by one. Returns whether anything changed;
/// declines what sign-extends such integers, keeps them in memory or makes vectors of them, and vectors of lengths that
/// OpenCL does not have. Before: verify() has passed; the validator would refuse all of it.
Result<bool> widen_odd_integers(spirv::Module& module);

}  // namespace caldera::vulkan
