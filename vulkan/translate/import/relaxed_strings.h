// SPDX-License-Identifier: Apache-2.0
// SPV_EXT_relaxed_printf_string_address_space: the strings of printf lie in any memory.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Where the module declares the extension: formats, and strings for %s, that are known at compile time
/// become constants in constant memory; a format that is not known becomes a null pointer, which
/// check_supported declines. Returns whether anything changed.
bool take_relaxed_strings(spirv::Module& module);

}  // namespace caldera::vulkan
