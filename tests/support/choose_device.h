// SPDX-License-Identifier: Apache-2.0
// The device that tests of Vulkan alone run on.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace caldera {

/// Whether `wanted` is the device's index or a part of its name, case ignored.
inline bool is_wanted(VkPhysicalDevice device, size_t index, std::string wanted) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    std::string name = properties.deviceName;
    for (std::string* text : {&name, &wanted})
        std::ranges::transform(*text, text->begin(), [](unsigned char c) { return std::tolower(c); });
    return wanted == std::to_string(index) || name.find(wanted) != std::string::npos;
}

/// The first device that CALDERA_DEVICE names, or the first one without it; null where there is none.
inline VkPhysicalDevice choose_device(const std::vector<VkPhysicalDevice>& devices) {
    const char* const wanted = std::getenv("CALDERA_DEVICE");
    for (size_t i = 0; i < devices.size(); ++i)
        if (!wanted || is_wanted(devices[i], i, wanted)) return devices[i];
    return VK_NULL_HANDLE;
}

/// The first family of queues that compute, if there is one.
inline std::optional<uint32_t> find_compute_family(VkPhysicalDevice device) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    for (uint32_t i = 0; i < count; ++i)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) return i;
    return std::nullopt;
}

}  // namespace caldera
