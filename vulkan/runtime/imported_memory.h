// SPDX-License-Identifier: Apache-2.0
// Memory of other APIs and processes, and of the host.
#pragma once

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

class Device;

/// The memory of a file descriptor, which stays the caller's, for a buffer without memory. Vulkan asks for
/// the memory type of the one who made it. Nobody tells us, so each that the buffer can have is tried.
Result<MemoryHandle> import_memory(const Device& device, VkBuffer buffer,
                                   VkExternalMemoryHandleTypeFlagBits type, int descriptor);
/// The same for an image. `is_dedicated`: the device imports such memory for one image alone.
Result<MemoryHandle> import_memory(const Device& device, VkImage image, bool is_dedicated,
                                   VkExternalMemoryHandleTypeFlagBits type, int descriptor);

/// The host's memory from `pointer` on, in whole pages, for a buffer without memory. The device has
/// ExternalHandles::host_alignment, of which the pointer is a multiple.
Result<MemoryHandle> import_host_memory(const Device& device, void* pointer, uint64_t size_bytes,
                                        uint32_t allowed_types);

}  // namespace caldera::runtime
