// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/external_semaphore.h"

#include "vulkan/runtime/device.h"
#include "vulkan/runtime/file_descriptor.h"

namespace caldera::runtime {
namespace {

Result<std::shared_ptr<ExternalSemaphore>> make(const Device& device, SemaphoreHandleType type,
                                                const void* next) {
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = next};
    SemaphoreHandle semaphore;
    if (const VkResult result = semaphore.make(device.vk(), vkCreateSemaphore, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateSemaphore", result);
    return std::make_shared<ExternalSemaphore>(device, type, std::move(semaphore));
}

}  // namespace

Result<std::shared_ptr<ExternalSemaphore>> ExternalSemaphore::create(const Device& device,
                                                                     SemaphoreHandleType type) {
    const VkExportSemaphoreCreateInfo exported{.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                               .handleTypes = static_cast<VkFlags>(type)};
    return make(device, type, &exported);
}

Result<std::shared_ptr<ExternalSemaphore>> ExternalSemaphore::import(const Device& device,
                                                                     SemaphoreHandleType type,
                                                                     int descriptor) {
    const bool is_sync_file = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    const bool is_signalled = is_sync_file && descriptor == -1;
    if (!is_signalled && !may_be_handle(descriptor))
        return Error{.message = "the semaphore's file descriptor is not open, or no handle",
                     .code = VK_ERROR_INVALID_EXTERNAL_HANDLE};
    Result<std::shared_ptr<ExternalSemaphore>> semaphore = make(device, type, nullptr);
    if (!semaphore) return semaphore.error();
    LentDescriptor lent(descriptor);
    const VkImportSemaphoreFdInfoKHR info{
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = (*semaphore)->vk(),
        .flags = is_sync_file ? VkSemaphoreImportFlags{VK_SEMAPHORE_IMPORT_TEMPORARY_BIT} : 0,
        .handleType = type,
        .fd = lent.get()};
    if (const VkResult result = device.external_functions().import_semaphore_fd(device.vk(), &info);
        result != VK_SUCCESS)
        return vulkan_error("vkImportSemaphoreFdKHR", result);
    lent.note_taken();
    return semaphore;
}

Result<int> ExternalSemaphore::export_descriptor() const {
    const VkSemaphoreGetFdInfoKHR info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                       .semaphore = semaphore_.get(),
                                       .handleType = type_};
    int descriptor = -1;
    if (const VkResult result =
            device_.external_functions().get_semaphore_fd(device_.vk(), &info, &descriptor);
        result != VK_SUCCESS)
        return vulkan_error("vkGetSemaphoreFdKHR", result);
    return descriptor;
}

}  // namespace caldera::runtime
