// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/external_handles.h"

#include "vulkan/runtime/buffer_usage.h"
#include "vulkan/runtime/device_features.h"
#include "vulkan/runtime/device_properties.h"
#include "vulkan/runtime/image_format.h"
#include "vulkan/runtime/shared_format.h"

namespace caldera::runtime {
namespace {

bool imports_buffers(VkPhysicalDevice physical, VkExternalMemoryHandleTypeFlagBits type, bool has_addresses) {
    const VkPhysicalDeviceExternalBufferInfo info{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = buffer_usage(has_addresses),
        .handleType = type};
    VkExternalBufferProperties found{.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &found);
    return found.externalMemoryProperties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
}

bool is_cpu(VkPhysicalDevice physical) {
    return properties_of(physical).deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

uint64_t host_alignment(VkPhysicalDevice physical) {
    return properties_of<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
               physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT)
        .minImportedHostPointerAlignment;
}

void ask_semaphores(VkPhysicalDevice physical, VkExternalSemaphoreHandleTypeFlagBits type,
                    ExternalHandles& handles) {
    const VkPhysicalDeviceExternalSemaphoreInfo info{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, .handleType = type};
    VkExternalSemaphoreProperties found{.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    vkGetPhysicalDeviceExternalSemaphoreProperties(physical, &info, &found);
    if (found.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT)
        handles.semaphore_imports |= type;
    if (found.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT)
        handles.semaphore_exports |= type;
}

}  // namespace

ExternalHandles external_handles(VkPhysicalDevice physical, bool has_addresses) {
    ExternalHandles handles;
    const auto enable = [&](const char* extension) {
        const bool has = has_extension(physical, extension);
        if (has) handles.extensions.push_back(extension);
        return has;
    };
    const auto import_memory = [&](VkExternalMemoryHandleTypeFlagBits type) {
        if (imports_buffers(physical, type, has_addresses)) handles.memory_imports |= type;
    };
    if (enable(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) {
        import_memory(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
        if (shared_format(physical, kOrderRGBA, kUnormInt8, VK_IMAGE_VIEW_TYPE_2D,
                          VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT))
            handles.optimal_images = handles.memory_imports & VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
        if (enable(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME)) {
            import_memory(VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);
            handles.tells_foreign_queues = enable(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
        }
    }
    // A processor's device takes any pointer, also where it does not know the kind.
    if (is_cpu(physical) && !imports_buffers(physical, handles.host_memory, has_addresses))
        handles.host_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    if (imports_buffers(physical, handles.host_memory, has_addresses) &&
        enable(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME))
        handles.host_alignment = host_alignment(physical);
    if (enable(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME))
        for (const auto type :
             {VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT})
            ask_semaphores(physical, type, handles);
    return handles;
}

ExternalFunctions external_functions(VkDevice device, const ExternalHandles& handles) {
    ExternalFunctions functions;
    const auto find = [&](auto& function, const char* name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(vkGetDeviceProcAddr(device, name));
    };
    if (handles.memory_imports) find(functions.get_memory_fd_properties, "vkGetMemoryFdPropertiesKHR");
    if (handles.host_alignment)
        find(functions.get_memory_host_pointer_properties, "vkGetMemoryHostPointerPropertiesEXT");
    if (handles.semaphore_imports) find(functions.import_semaphore_fd, "vkImportSemaphoreFdKHR");
    if (handles.semaphore_exports) find(functions.get_semaphore_fd, "vkGetSemaphoreFdKHR");
    return functions;
}

}  // namespace caldera::runtime
