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

    /// Whether this is a buffer.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The size, as it was asked for.
    uint64_t size_bytes() const;
    /// The device address, which a kernel's pointer argument receives. 0 on a device without
    /// bufferDeviceAddress.
    uint64_t address() const;
    /// The bytes as the host sees them, coherently; null where it does not. Who writes here while a command
    /// uses the memory races with it.
    std::byte* mapped() const;
    /// The VkBuffer, which lives as long as this object. Its memory begins at address().
    VkBuffer_T* vk() const;

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
