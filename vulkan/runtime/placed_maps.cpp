// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/placed_maps.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "spirv/support/pages.h"
#include "vulkan/runtime/active_tools.h"
#include "vulkan/runtime/device_features.h"
#include "vulkan/runtime/device_properties.h"
#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

namespace {

constexpr uint32_t kFirstVersion = VK_MAKE_API_VERSION(0, 1, 3, 274);

/// A layer that is older than the extension passes its functions on, but may have replaced the handles: then
/// the driver gets handles that are not its own. The Khronos validation layer does so.
bool has_older_layer(VkInstance instance, VkPhysicalDevice physical) {
    const std::vector<ActiveTool> active = active_tools(instance, physical, VK_API_VERSION_1_3);
    if (active.empty()) return false;
    uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::ranges::any_of(std::span(layers).first(count), [&](const VkLayerProperties& layer) {
        return layer.specVersion < kFirstVersion && std::ranges::any_of(active, [&](const ActiveTool& tool) {
                   return tool.layer == layer.layerName;
               });
    });
}

}  // namespace

PlacedMaps PlacedMaps::find(VkInstance instance, VkPhysicalDevice physical) {
    PlacedMaps found;
    if (properties_of(physical).apiVersion < VK_API_VERSION_1_3) return found;
    for (const char* name : {VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME, VK_KHR_MAP_MEMORY_2_EXTENSION_NAME})
        if (!has_extension(physical, name)) return found;
    if (has_older_layer(instance, physical)) return found;
    VkPhysicalDeviceMapMemoryPlacedFeaturesEXT features{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 all_features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = &features};
    vkGetPhysicalDeviceFeatures2(physical, &all_features);
    if (!features.memoryMapPlaced) return found;
    const auto properties = properties_of<VkPhysicalDeviceMapMemoryPlacedPropertiesEXT>(
        physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_PROPERTIES_EXT);
    found.alignment_ = std::max<uint64_t>(properties.minPlacedMemoryMapAlignment, page_bytes());
    return found;
}

const void* PlacedMaps::enable_before(const void* features) {
    if (!is_available()) return features;
    features_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
                 .pNext = const_cast<void*>(features),
                 .memoryMapPlaced = VK_TRUE};
    return &features_;
}

void PlacedMaps::find_function(VkDevice device) {
    if (is_available())
        map_ = reinterpret_cast<PFN_vkMapMemory2KHR>(vkGetDeviceProcAddr(device, "vkMapMemory2KHR"));
    if (!map_) alignment_ = 0;
}

std::vector<const char*> PlacedMaps::extensions() const {
    if (!is_available()) return {};
    return {VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME, VK_KHR_MAP_MEMORY_2_EXTENSION_NAME};
}

Result<Done> PlacedMaps::map(VkDevice device, VkDeviceMemory memory, uint64_t size_bytes,
                             void* address) const {
    const VkMemoryMapPlacedInfoEXT place{
        .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT, .pNext = nullptr, .pPlacedAddress = address};
    const VkMemoryMapInfoKHR info{.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR,
                                  .pNext = &place,
                                  .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                                  .memory = memory,
                                  .offset = 0,
                                  .size = size_bytes};
    void* mapped = nullptr;
    if (const VkResult result = map_(device, &info, &mapped); result != VK_SUCCESS)
        return vulkan_error("vkMapMemory2KHR", result);
    return mapped == address ? Result<Done>(Done{})
                             : Error{.message = "vkMapMemory2KHR mapped memory elsewhere"};
}

}  // namespace caldera::runtime
