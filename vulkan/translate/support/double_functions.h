// SPDX-License-Identifier: Apache-2.0
// The library's functions for devices without doubles.
#pragma once

#include <cstdint>
#include <string_view>

namespace caldera::vulkan {

enum class DoubleFunction : uint8_t {
#define DOUBLE_FUNCTION(name, mangled) name,
#include "vulkan/translate/support/double_functions.def"
};

/// The functions' names in the library, by DoubleFunction.
constexpr std::string_view kDoubleFunctions[] = {
#define DOUBLE_FUNCTION(name, mangled) mangled,
#include "vulkan/translate/support/double_functions.def"
};

}  // namespace caldera::vulkan
