// SPDX-License-Identifier: Apache-2.0
// Makes the control flow of any function structured.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Rebuilds the control flow of a function so that it obeys SPIR-V 2.11. Existing merge instructions are
/// ignored, except for loop controls (unroll hints) of blocks that stay loop headers. No code is copied; the
/// size grows with the number of edges.
///
/// The idea is that of N. Ramsey, "Beyond Relooper" (2022): the dominator tree determines how constructs
/// nest. A block with several predecessors is placed after the construct of its dominator; a block after a
/// loop is placed after the loop's construct. Where WebAssembly would leave several blocks at once, a
/// variable holds the destination, and is tested at each merge block with several ways on.
void restructure(spirv::Builder& builder, spirv::Function& function);

/// The same, but only for a function that breaks a rule of SPIR-V 2.11. In other functions, it only removes
/// unreachable blocks.
void ensure_structure(spirv::Builder& builder, spirv::Function& function);

/// Rebuilds a function with several returns so that it has one at its end, if that is possible.
void restructure_with_one_return(spirv::Builder& builder, spirv::Function& function);

/// The same, with at most `most_nested` nested selections in each loop, or one more where this is
/// unavoidable. Code that would nest more deeply moves to the end of the loop's body or of the function, and
/// is selected there by the variable.
void restructure_flat(spirv::Builder& builder, spirv::Function& function, uint32_t most_nested);

}  // namespace caldera::vulkan
