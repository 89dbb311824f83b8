// SPDX-License-Identifier: Apache-2.0
// Built-in variables whose bytes are accessed.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// LLVM's optimiser loads, say, the 8 bytes at offset 16 of GlobalInvocationId, and casts the variable's
/// address for that, also in constants. A function that does more with such a variable than to load it, or
/// components of it, gets a private copy of it, made on entry. Where the address of such a variable is passed
/// to a function, chosen or stored, all functions get copies of those that they use. Returns whether anything
/// changed. The module must have passed verify().
bool copy_built_ins(spirv::Module& module);

}  // namespace caldera::vulkan
