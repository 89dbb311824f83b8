// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Splits vectors that OpenCL does not have into their components: those of other lengths than 2, 3, 4, 8 and
/// 16 (SPV_INTEL_vector_compute), and those of pointers (SPV_INTEL_masked_gather_scatter, without its
/// gathers). LLVM's optimiser makes them. An access to memory becomes one for each component, and a cast to
/// other components becomes shifts of them. Declines such vectors in structs, arrays, variables, calls and
/// whatever is no operation on components, those of no or more than 128 components, and pointer arithmetic
/// that depends on their size in memory. Returns whether anything changed. Before: verify() has passed, and
/// blocks come after their dominators; the validator would reject all of this.
Result<bool> split_odd_vectors(spirv::Module& module);

}  // namespace caldera::vulkan
