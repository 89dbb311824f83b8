// SPDX-License-Identifier: Apache-2.0
// What a device shares with other APIs and processes, by file descriptors: memory and semaphores. Devices of
// one process also share mapped memory, by pointers.
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

namespace caldera::runtime {

/// The types of handles, as sets of Vulkan's bits.
struct ExternalHandles {
    VkExternalMemoryHandleTypeFlags memory_imports = 0;
    /// Those whose images have Vulkan's optimal tiling unless their importer says where rows are.
    VkExternalMemoryHandleTypeFlags optimal_images = 0;
    VkExternalSemaphoreHandleTypeFlags semaphore_imports = 0, semaphore_exports = 0;  ///< of binary ones
    std::vector<const char*> extensions = {};                                         ///< to enable for them
    bool tells_foreign_queues = false;  ///< VK_EXT_queue_family_foreign is among them
    /// How buffers can be on memory that another device has mapped.
    VkExternalMemoryHandleTypeFlagBits host_memory =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;
    /// Addresses and sizes of such memory are multiples of this; 0: no buffer can be there.
    uint64_t host_alignment = 0;
};
ExternalHandles external_handles(VkPhysicalDevice physical, bool has_addresses);

/// Null where the device has no use for them.
struct ExternalFunctions {
    PFN_vkGetMemoryFdPropertiesKHR get_memory_fd_properties = nullptr;
    PFN_vkGetMemoryHostPointerPropertiesEXT get_memory_host_pointer_properties = nullptr;
    PFN_vkImportSemaphoreFdKHR import_semaphore_fd = nullptr;
    PFN_vkGetSemaphoreFdKHR get_semaphore_fd = nullptr;
};
ExternalFunctions external_functions(VkDevice device, const ExternalHandles& handles);

}  // namespace caldera::runtime
