// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Mends what SPIR-V does not let be empty. Arrays of length 0 become structs without members. An access
/// chain that leads into such an array, as the last member of a struct, becomes one from the address behind
/// it. Copies of no bytes, which LLVM makes of structs without members, go. Declines arrays whose alignment
/// alone moves or pads what is beside them, and constants and values that lead into one. Returns whether
/// anything changed. Before: verify() has passed.
Result<bool> mend_empty_objects(spirv::Module& module);

}  // namespace caldera::vulkan
