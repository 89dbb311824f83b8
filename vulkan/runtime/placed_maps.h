// SPDX-License-Identifier: Apache-2.0
// PlacedMaps: memory that the host maps at an address of its choice (VK_EXT_map_memory_placed). The runtime
// maps memory at its device address, so that a pointer means the same on both sides.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <vector>

#include "spirv/support/result.h"

#ifndef VK_EXT_map_memory_placed  // Vulkan-Headers have this from 1.3.274 on
#define VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME "VK_EXT_map_memory_placed"
constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT =
    static_cast<VkStructureType>(1000272000);
constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_PROPERTIES_EXT =
    static_cast<VkStructureType>(1000272001);
constexpr auto VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT = static_cast<VkStructureType>(1000272002);
constexpr VkMemoryMapFlags VK_MEMORY_MAP_PLACED_BIT_EXT = 1;
struct VkPhysicalDeviceMapMemoryPlacedFeaturesEXT {
    VkStructureType sType;
    void* pNext;
    VkBool32 memoryMapPlaced, memoryMapRangePlaced, memoryUnmapReserve;
};
struct VkPhysicalDeviceMapMemoryPlacedPropertiesEXT {
    VkStructureType sType;
    void* pNext;
    VkDeviceSize minPlacedMemoryMapAlignment;
};
struct VkMemoryMapPlacedInfoEXT {
    VkStructureType sType;
    const void* pNext;
    void* pPlacedAddress;
};
#endif

#ifndef VK_KHR_map_memory2  // Vulkan-Headers have this from 1.3.244 on
#define VK_KHR_MAP_MEMORY_2_EXTENSION_NAME "VK_KHR_map_memory2"
constexpr auto VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR = static_cast<VkStructureType>(1000271000);
struct VkMemoryMapInfoKHR {
    VkStructureType sType;
    const void* pNext;
    VkMemoryMapFlags flags;
    VkDeviceMemory memory;
    VkDeviceSize offset, size;
};
using PFN_vkMapMemory2KHR = VkResult(VKAPI_PTR*)(VkDevice, const VkMemoryMapInfoKHR*, void**);
#endif

namespace caldera::runtime {

class PlacedMaps {
 public:
    /// What a physical device has that the instance listed.
    static PlacedMaps find(VkInstance instance, VkPhysicalDevice physical);
    /// Puts the feature before the features with which a device is made.
    const void* enable_before(const void* features);
    void find_function(VkDevice device);

    bool is_available() const { return alignment_ != 0; }
    /// To be enabled.
    std::vector<const char*> extensions() const;
    /// Addresses and sizes are multiples of this.
    uint64_t alignment() const { return alignment_; }
    /// Maps memory that is not mapped, from its first byte on, in place of pages that reserve_pages() took.
    Result<Done> map(VkDevice device, VkDeviceMemory memory, uint64_t size_bytes, void* address) const;

 private:
    uint64_t alignment_ = 0;
    VkPhysicalDeviceMapMemoryPlacedFeaturesEXT features_ = {};
    PFN_vkMapMemory2KHR map_ = nullptr;
};

}  // namespace caldera::runtime
