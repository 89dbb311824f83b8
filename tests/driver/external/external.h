// SPDX-License-Identifier: Apache-2.0
// What the tests of shared memory and semaphores have in common.
#pragma once

#include <string>
#include <vector>

#include "tests/driver/external/vulkan_peer.h"
#include "tests/driver/semaphores.h"

namespace caldera::driver_test {

/// A type of handles in OpenCL and in Vulkan.
template <class Bit>
struct Handle {
    cl_uint type;
    Bit bit;
    const char* extension;
};
constexpr Handle<VkExternalMemoryHandleTypeFlagBits> kMemoryTypes[] = {
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
     "cl_khr_external_memory_opaque_fd"},
    {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
     "cl_khr_external_memory_dma_buf"}};
constexpr Handle<VkExternalSemaphoreHandleTypeFlagBits> kSemaphoreTypes[] = {
    {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
     "cl_khr_external_semaphore_opaque_fd"},
    {CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
     "cl_khr_external_semaphore_sync_fd"}};

inline bool lists(const Fixture& f, cl_device_info query, cl_uint type) {
    const auto types = list_answer<cl_uint>(f, query);
    return std::ranges::count(types, type) != 0;
}

struct ExternalMemory {
    clEnqueueAcquireExternalMemObjectsKHR_fn acquire =
        extension_function<clEnqueueAcquireExternalMemObjectsKHR_fn>("clEnqueueAcquireExternalMemObjectsKHR");
    clEnqueueReleaseExternalMemObjectsKHR_fn release =
        extension_function<clEnqueueReleaseExternalMemObjectsKHR_fn>("clEnqueueReleaseExternalMemObjectsKHR");
    cl_int acquire_in(cl_command_queue queue, cl_mem memory) const {
        return acquire(queue, 1, &memory, 0, nullptr, nullptr);
    }
    cl_int release_in(cl_command_queue queue, cl_mem memory) const {
        return release(queue, 1, &memory, 0, nullptr, nullptr);
    }
};

/// A buffer on the memory of a descriptor, or null and the error.
inline cl_mem import_buffer(Fixture& f, std::vector<cl_mem_properties> properties, size_t size, cl_int& code,
                            cl_mem_flags flags = 0, void* host = nullptr) {
    cl_mem made = clCreateBufferWithProperties(f.context, properties.data(), flags, size, host, &code);
    if (made) f.buffers.push_back(made);
    return made;
}
inline cl_mem_properties property_of(int descriptor) { return static_cast<cl_mem_properties>(descriptor); }

}  // namespace caldera::driver_test
