// SPDX-License-Identifier: Apache-2.0
// SPV_EXT_relaxed_printf_string_address_space: the strings of printf lie in any memory.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Where the module declares the extension: formats, and strings for %s, that are known at compile time
/// become constants in constant memory. A format that is not known is cast to a pointer to constant memory,
/// as SPIRV-Tools want it: linking may bring a module that defines it. check_supported declines it otherwise.
/// Returns whether anything changed.
bool take_relaxed_strings(spirv::Module& module);

}  // namespace caldera::vulkan
