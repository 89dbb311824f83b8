// SPDX-License-Identifier: Apache-2.0
// Structured control flow for any function.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Rebuilds the control flow of a function so that it obeys SPIR-V 2.11. Merge instructions there are ignored, but for the
/// loop controls (unroll hints) of blocks that stay loop headers. No code is copied; size grows with the edges.
///
/// The idea is that of N. Ramsey, "Beyond Relooper" (2022): the dominator tree says how constructs nest. A block that is
/// reached from several places stands behind the construct of its dominator; a block behind a loop stands behind the loop's
/// construct. Where wasm would leave several blocks at once, a variable says where to go on and is tested at each merge
/// block where there is a choice.
void restructure(spirv::Builder& builder, spirv::Function& function);

/// The same for a function that breaks a rule of SPIR-V 2.11; others are left alone, but for unreachable blocks.
void ensure_structure(spirv::Builder& builder, spirv::Function& function);

/// Rebuilds a function with several returns so that it has one, at its end, if there is such a place.
void restructure_with_one_return(spirv::Builder& builder, spirv::Function& function);

/// The same, with at most so many selections in one another in each loop, or one more where there must be one. What would stand
/// deeper is dispatched on the variable at the end of the loop's body or of the function.
void restructure_flat(spirv::Builder& builder, spirv::Function& function, uint32_t most_nested);

}  // namespace caldera::vulkan
