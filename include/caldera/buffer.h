// SPDX-License-Identifier: Apache-2.0
/// @file
/// Buffer: device memory, with an address where the device has addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "caldera/api.h"
#include "caldera/device.h"
#include "caldera/result.h"

namespace caldera {

/// The use of a buffer's memory.
enum class MemoryUse : uint8_t {
    Device,    ///< kernels' data: device-local; mapped too where the device offers all of that memory to the
               ///< host
    Upload,    ///< the host writes it once, the device reads it once: always mapped
    Download,  ///< the device writes it, the host reads it: always mapped, and fast to read
};

/// A buffer of the application for Buffer::adopt().
struct AdoptedBuffer {
    VkBuffer_T* buffer = nullptr;  ///< with memory bound to it, of any allocator
    uint64_t offset_bytes = 0;     ///< where the stretch begins: a multiple of 4
    uint64_t size_bytes = 0;       ///< the length of the stretch: a multiple of 4
    /// The VkBufferUsageFlags that it was made with. VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT serves
    /// programs of Abi::Addresses (the memory then has VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT),
    /// VK_BUFFER_USAGE_STORAGE_BUFFER_BIT those of Abi::Descriptors. Queue's copies and fills need
    /// VK_BUFFER_USAGE_TRANSFER_SRC_BIT and VK_BUFFER_USAGE_TRANSFER_DST_BIT.
    uint32_t usage = 0;
};

/// A stretch of device memory. A handle: copies are the same memory, which is free when the last handle is
/// gone and no queue or kernel uses it any more. Thread-safe, but for the bytes. A default-constructed one is
/// no buffer and good for assignment only.
class CALDERA_API Buffer {
 public:
    /// No buffer.
    Buffer() = default;
    /// Memory of at least one byte, aligned to 128 bytes (OpenCL C 6.1.5: long16). Its content is not
    /// defined. It may be larger than what Vulkan allocates at once. Fails where the device has no such
    /// memory left.
    static Result<Buffer> create(const Device& device, uint64_t size_bytes,
                                 MemoryUse use = MemoryUse::Device);
    /// A stretch of a buffer of the application, which made it with the same VkDevice. The buffer and its
    /// memory stay the application's, and outlive this object and what uses it. With
    /// VK_SHARING_MODE_EXCLUSIVE the family of Caldera's queues, or of the command buffer, owns it while
    /// kernels use it. Kernels expect OpenCL's alignment of what they access: 128 bytes are enough for all
    /// types. mapped() is null.
    ///
    /// Fails where the buffer is null or too small, where a number is not a multiple of 4, and where its
    /// usage is of use to no kernel on this device.
    static Result<Buffer> adopt(const Device& device, const AdoptedBuffer& buffer);

    /// Whether this is a buffer.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The size, as it was asked for.
    uint64_t size_bytes() const;
    /// The device address, which a kernel's pointer argument receives. 0 on a device without
    /// bufferDeviceAddress, and for an adopted buffer that was made without it.
    uint64_t address() const;
    /// The bytes as the host sees them, coherently; null where it does not. Who writes here while a command
    /// uses the memory races with it.
    std::byte* mapped() const;
    /// The VkBuffer, which lives as long as this object. Its memory begins at address(); that of an adopted
    /// buffer begins at its offset before that.
    VkBuffer_T* vk() const;

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
