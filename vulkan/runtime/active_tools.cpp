// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/active_tools.h"

#include <algorithm>
#include <span>

namespace caldera::runtime {

std::vector<ActiveTool> active_tools(VkInstance instance, VkPhysicalDevice physical) {
    std::vector<ActiveTool> found;
    // A layer may know the function by one of its names only.
    for (const char* name : {"vkGetPhysicalDeviceToolProperties", "vkGetPhysicalDeviceToolPropertiesEXT"}) {
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

bool has_renderdoc(VkInstance instance, VkPhysicalDevice physical) {
    return std::ranges::any_of(active_tools(instance, physical),
                               [](const ActiveTool& tool) { return tool.name == "RenderDoc"; });
}

}  // namespace caldera::runtime
