// SPDX-License-Identifier: Apache-2.0
// The types of handles that the driver knows, in OpenCL and in Vulkan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vulkan/icd/object.h"
#include "vulkan/runtime/external_handles.h"

namespace caldera::icd {

/// A type of handles, which is a property too.
struct HandleType {
    cl_uint type = 0;
    VkFlags bit = 0;  ///< Vulkan's
    const char* extension = nullptr;
};
constexpr HandleType kMemoryHandles[] = {
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
     "cl_khr_external_memory_opaque_fd"},
    {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
     "cl_khr_external_memory_dma_buf"}};
constexpr HandleType kSemaphoreHandles[] = {
    {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
     "cl_khr_external_semaphore_opaque_fd"},
    {CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
     "cl_khr_external_semaphore_sync_fd"}};

/// The numbers of those that are in a set of Vulkan's bits.
inline std::vector<cl_uint> handle_types(std::span<const HandleType> all, VkFlags set) {
    std::vector<cl_uint> types;
    for (const HandleType& each : all)
        if (set & each.bit) types.push_back(each.type);
    return types;
}

/// The names of extensions for what a device shares.
inline std::vector<std::string> external_extensions(const runtime::ExternalHandles& handles) {
    std::vector<std::string> names;
    const auto add = [&](const char* common, std::span<const HandleType> all, VkFlags set) {
        if (set) names.emplace_back(common);
        for (const HandleType& each : all)
            if (set & each.bit) names.emplace_back(each.extension);
    };
    add("cl_khr_external_memory", kMemoryHandles, handles.memory_imports);
    add("cl_khr_external_semaphore", kSemaphoreHandles,
        handles.semaphore_imports | handles.semaphore_exports);
    return names;
}

}  // namespace caldera::icd
