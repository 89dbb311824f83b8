// SPDX-License-Identifier: Apache-2.0
// Shared memory: the host has memory at the device addresses of these buffers, so that a pointer means the
// same on both sides.
#pragma once

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Host memory at an address that a device chose. The device does not know about it: its owner copies the
/// contents. Movable.
class HostMirror {
 public:
    HostMirror() = default;
    /// Fails if any of these bytes is already in use, or if the host has no such addresses. Maps whole pages.
    static Result<HostMirror> create(uint64_t address, uint64_t size_bytes);
    /// Likewise, but nobody can access the memory.
    static Result<HostMirror> reserve(uint64_t address, uint64_t size_bytes);
    HostMirror(HostMirror&& other) noexcept { swap(other); }
    HostMirror& operator=(HostMirror&& other) noexcept {
        swap(other);
        return *this;
    }
    ~HostMirror();

    /// Null if there is none.
    std::byte* data() const { return data_; }

 private:
    using Map = void*(uint64_t address, uint64_t size_bytes);
    static Result<HostMirror> take(uint64_t address, uint64_t size_bytes, Map& map);
    void swap(HostMirror& other);
    std::byte* data_ = nullptr;
    uint64_t size_ = 0;
};

struct SharedBuffer {
    Buffer buffer = {};
    HostMirror mirror = {};       ///< empty if the host accesses the buffer's bytes directly, or not at all
    HostMirror reservation = {};  ///< takes the addresses of memory that the host does not access
    uint64_t offset = 0;          ///< where the requested memory begins
    std::byte* data() const { return mirror.data() ? mirror.data() : buffer.mapped(); }
};

/// Creates a buffer for so many bytes on a device that has shared memory. `alignment` must be a power of two.
Result<SharedBuffer> make_shared_buffer(Device& device, uint64_t size_bytes, uint64_t alignment);

/// Creates memory of the host that the device accesses too, both at the same address, on a device that shares
/// host memory. Neither the host nor the device has a copy.
Result<SharedBuffer> make_host_buffer(Device& device, uint64_t size_bytes, uint64_t alignment);
/// Creates memory of the device at an address at which the host has nothing, on a device that has addresses.
/// So an address tells which memory a pointer means.
Result<SharedBuffer> make_device_buffer(Device& device, uint64_t size_bytes, uint64_t alignment);

/// Finds out for a device that is being opened.
SharedMemory find_shared_memory(Device& device);
/// Finds out Device::shares_host_memory(), when shared_memory() is known.
bool find_host_memory(Device& device);

}  // namespace caldera::runtime
