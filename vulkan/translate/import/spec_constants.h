// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/specialize.h"

namespace caldera::vulkan {

/// Removes specialisation constants: each gets the value for its SpecId, or its default. What is computed
/// from them becomes a constant or, if a function uses it and it cannot be folded, an instruction there.
/// OpSpecConstantOp remains in initialisers, where addresses become relocations. The module must be valid; a
/// value of the wrong size is an error.
Result<Done> fix_spec_constants(spirv::Module& module, const spirv::SpecValues& values);

}  // namespace caldera::vulkan
