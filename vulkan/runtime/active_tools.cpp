// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/active_tools.h"

#include <algorithm>
#include <span>

#include "vulkan/runtime/device_features.h"

namespace caldera::runtime {

std::vector<ActiveTool> active_tools(VkInstance instance, VkPhysicalDevice physical, uint32_t api_version) {
    std::vector<ActiveTool> found;
    // A layer may know the function by one of its names only.
    std::vector<const char*> names;
    if (api_version >= VK_API_VERSION_1_3) names.push_back("vkGetPhysicalDeviceToolProperties");
    if (has_extension(physical, VK_EXT_TOOLING_INFO_EXTENSION_NAME))
        names.push_back("vkGetPhysicalDeviceToolPropertiesEXT");
    for (const char* name : names) {
        const auto get_tools =
            reinterpret_cast<PFN_vkGetPhysicalDeviceToolProperties>(vkGetInstanceProcAddr(instance, name));
        uint32_t count = 0;
        if (!get_tools || get_tools(physical, &count, nullptr) != VK_SUCCESS) continue;
        std::vector<VkPhysicalDeviceToolProperties> tools(
            count, {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES});
        if (get_tools(physical, &count, tools.data()) != VK_SUCCESS) continue;
        for (const VkPhysicalDeviceToolProperties& tool : std::span(tools).first(count))
            found.push_back({tool.name, tool.layer});
    }
    return found;
}

bool has_renderdoc(VkInstance instance, VkPhysicalDevice physical, uint32_t api_version) {
    return std::ranges::any_of(active_tools(instance, physical, api_version),
                               [](const ActiveTool& tool) { return tool.name == "RenderDoc"; });
}

}  // namespace caldera::runtime
