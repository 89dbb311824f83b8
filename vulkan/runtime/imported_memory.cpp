// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/imported_memory.h"

#include <algorithm>
#include <vector>

#include "spirv/support/try.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/file_descriptor.h"

namespace caldera::runtime {
namespace {

/// The allowed types with these properties, those of the device's own memory first.
std::vector<uint32_t> memory_types(VkPhysicalDevice physical, uint32_t allowed,
                                   VkMemoryPropertyFlags wanted = 0) {
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(physical, &properties);
    std::vector<uint32_t> types;
    for (uint32_t type = 0; type < properties.memoryTypeCount; ++type)
        if (allowed >> type & 1 && (properties.memoryTypes[type].propertyFlags & wanted) == wanted)
            types.push_back(type);
    std::ranges::stable_partition(types, [&](uint32_t type) {
        return properties.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    });
    return types;
}

/// `chain` continues the allocation's structures.
Result<MemoryHandle> import_as(const Device& device, const VkMemoryRequirements& needed, const void* chain,
                               VkExternalMemoryHandleTypeFlagBits type, int descriptor) {
    if (!may_be_handle(descriptor))
        return Error{.message = "the memory's file descriptor is not open, or no handle",
                     .code = VK_ERROR_INVALID_EXTERNAL_HANDLE};
    uint32_t allowed = needed.memoryTypeBits;
    if (type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT) {
        VkMemoryFdPropertiesKHR found{.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
        if (const VkResult result =
                device.external_functions().get_memory_fd_properties(device.vk(), type, descriptor, &found);
            result != VK_SUCCESS)
            return vulkan_error("vkGetMemoryFdPropertiesKHR", result);
        allowed &= found.memoryTypeBits;
    }
    // Not every driver looks: SwiftShader maps more than there is, and the first access ends the process
    // (driver_quirks.def: declines_what_is_no_handle).
    const uint64_t size = size_of_descriptor(descriptor);
    if (size != 0 && size < needed.size)
        return Error{.message = "memory of " + std::to_string(size) + " bytes is too small for " +
                                std::to_string(needed.size),
                     .code = VK_ERROR_OUT_OF_DEVICE_MEMORY};
    VkResult result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    for (const uint32_t memory_type : memory_types(device.physical(), allowed)) {
        LentDescriptor lent(descriptor);
        const VkImportMemoryFdInfoKHR imported{.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                               .pNext = chain,
                                               .handleType = type,
                                               .fd = lent.get()};
        const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = &imported,
                                        .allocationSize = needed.size,
                                        .memoryTypeIndex = memory_type};
        MemoryHandle memory;
        result = memory.make(device.vk(), vkAllocateMemory, info);
        if (result != VK_SUCCESS) continue;
        lent.note_taken();
        return memory;
    }
    return vulkan_error("vkAllocateMemory", result);
}

}  // namespace

Result<MemoryHandle> import_memory(const Device& device, VkBuffer buffer,
                                   VkExternalMemoryHandleTypeFlagBits type, int descriptor) {
    VkMemoryDedicatedRequirements alone{.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 requirements{.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, .pNext = &alone};
    const VkBufferMemoryRequirementsInfo2 asked{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2,
                                                .buffer = buffer};
    vkGetBufferMemoryRequirements2(device.vk(), &asked, &requirements);
    const VkMemoryDedicatedAllocateInfo dedicated{.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                                  .pNext = address_flags(device.has_addresses()),
                                                  .buffer = buffer};
    return import_as(device, requirements.memoryRequirements,
                     alone.requiresDedicatedAllocation ? &dedicated : dedicated.pNext, type, descriptor);
}

Result<MemoryHandle> import_memory(const Device& device, VkImage image, bool is_dedicated,
                                   VkExternalMemoryHandleTypeFlagBits type, int descriptor) {
    VkMemoryDedicatedRequirements alone{.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 requirements{.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, .pNext = &alone};
    const VkImageMemoryRequirementsInfo2 asked{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
                                               .image = image};
    vkGetImageMemoryRequirements2(device.vk(), &asked, &requirements);
    const VkMemoryDedicatedAllocateInfo dedicated{.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                                  .image = image};
    const bool needs_own = is_dedicated || alone.requiresDedicatedAllocation;
    return import_as(device, requirements.memoryRequirements, needs_own ? &dedicated : nullptr, type,
                     descriptor);
}

Result<MemoryHandle> import_host_memory(const Device& device, void* pointer, uint64_t size_bytes,
                                        uint32_t allowed_types) {
    const VkExternalMemoryHandleTypeFlagBits kind = device.external().host_memory;
    VkMemoryHostPointerPropertiesEXT found{.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkResult result =
        device.external_functions().get_memory_host_pointer_properties(device.vk(), kind, pointer, &found);
    if (result != VK_SUCCESS) return vulkan_error("vkGetMemoryHostPointerPropertiesEXT", result);
    const VkImportMemoryHostPointerInfoEXT imported{
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .pNext = address_flags(device.has_addresses()),
        .handleType = kind,
        .pHostPointer = pointer};
    result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    // Nobody flushes what the host writes.
    for (const uint32_t type : memory_types(device.physical(), allowed_types & found.memoryTypeBits,
                                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)) {
        const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = &imported,
                                        .allocationSize = size_bytes,
                                        .memoryTypeIndex = type};
        MemoryHandle memory;
        result = memory.make(device.vk(), vkAllocateMemory, info);
        if (result == VK_SUCCESS) return memory;
    }
    return vulkan_error("vkAllocateMemory", result);
}

}  // namespace caldera::runtime
