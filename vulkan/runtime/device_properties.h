// SPDX-License-Identifier: Apache-2.0
// Queries of what a physical device is.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

namespace caldera::runtime {

inline VkPhysicalDeviceProperties properties_of(VkPhysicalDevice physical) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    return properties;
}

/// A structure that extends VkPhysicalDeviceProperties2, and whose `sType` is `type`. The device must know
/// it.
template <class Properties>
Properties properties_of(VkPhysicalDevice physical, VkStructureType type) {
    Properties found{.sType = type};
    VkPhysicalDeviceProperties2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &found};
    vkGetPhysicalDeviceProperties2(physical, &all);
    return found;
}

/// maxBufferSize, which devices tell from Vulkan 1.3 on.
inline uint64_t max_buffer_bytes(VkPhysicalDevice physical, uint32_t api_version) {
    if (api_version < VK_API_VERSION_1_3) return UINT64_MAX;
    return properties_of<VkPhysicalDeviceMaintenance4Properties>(
               physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES)
        .maxBufferSize;
}

}  // namespace caldera::runtime
