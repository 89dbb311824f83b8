// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/specialize.h"

namespace caldera::vulkan {

/// A module without specialisation constants: each has the value given for its SpecId or its default, and what is computed of them
/// is a constant or, where a function uses it and it cannot be folded, an instruction there. OpSpecConstantOp is left in
/// initialisers, whose addresses are relocations. For a valid module; a value of the wrong size is an error.
Result<Done> fix_spec_constants(spirv::Module& module, const spirv::SpecValues& values);

}  // namespace caldera::vulkan
