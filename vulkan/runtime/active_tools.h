// SPDX-License-Identifier: Apache-2.0
// Tools between the program and the driver.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

namespace caldera::runtime {

/// A tool between the program and the driver, as it describes itself.
struct ActiveTool {
    std::string name = {};
    std::string layer = {};  ///< the name of the tool's layer, or empty
};

/// The tools that say of themselves that they are in use (Vulkan 1.3, VK_EXT_tooling_info). Others may be in
/// use too. `api_version` is the lesser of the instance's and the device's.
std::vector<ActiveTool> active_tools(VkInstance instance, VkPhysicalDevice physical, uint32_t api_version);

/// Whether RenderDoc captures what the process does.
bool has_renderdoc(VkInstance instance, VkPhysicalDevice physical, uint32_t api_version);

}  // namespace caldera::runtime
