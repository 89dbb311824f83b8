// SPDX-License-Identifier: Apache-2.0
// What the group functions, lower_memory and lower_interface have agreed on.
#pragma once

#include <string_view>

namespace caldera::vulkan {

/// Local memory of the group functions with an element for each work-item is named so.
constexpr std::string_view kGroupValues = "caldera.group_values";

}  // namespace caldera::vulkan
