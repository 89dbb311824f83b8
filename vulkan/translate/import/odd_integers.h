// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Replaces integers of widths other than 8, 16, 32 and 64 bits by integers of 32 or 64 bits whose upper bits
/// are zero. LLVM's optimiser makes such integers, and llvm-spirv writes them with
/// SPV_INTEL_arbitrary_precision_integers. The bits of a vector of bool (OpBitcast, which SPIR-V does not
/// allow there) are assembled one by one. A load or store of whole bytes, as LLVM makes of memcpy(), is one
/// of each byte. Declines code that has variables of such integers, or makes vectors or pointer arithmetic of
/// them. Returns whether anything changed. Before: verify() has passed; the validator would reject all of
/// this.
Result<bool> widen_odd_integers(spirv::Module& module);

}  // namespace caldera::vulkan
