// SPDX-License-Identifier: Apache-2.0
// The name of a function in the source.
#pragma once

#include <string_view>

namespace caldera::vulkan {

/// The function's name without its types: "foo" of "_Z3fooi". Names of other kinds stay as they are. The
/// result is a part of `name`.
std::string_view source_name(std::string_view name);

}  // namespace caldera::vulkan
