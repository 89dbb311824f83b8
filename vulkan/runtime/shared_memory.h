// SPDX-License-Identifier: Apache-2.0
// Shared memory: buffers at whose device addresses the host has memory too, so that pointers mean the same on both sides.
#pragma once

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Memory of the host's at an address that a device chose. It says nothing to the device: its owner copies. Movable.
class HostMirror {
 public:
    HostMirror() = default;
    /// Fails where something else has any of these bytes already, or the host has no such addresses. Whole pages.
    static Result<HostMirror> create(uint64_t address, uint64_t size_bytes);
    HostMirror(HostMirror&& other) noexcept { swap(other); }
    HostMirror& operator=(HostMirror&& other) noexcept {
        swap(other);
        return *this;
    }
    ~HostMirror();

    /// Null: there is none.
    std::byte* data() const { return data_; }

 private:
    void swap(HostMirror& other);
    std::byte* data_ = nullptr;
    uint64_t size_ = 0;
};

struct SharedBuffer {
    Buffer buffer = {};
    HostMirror mirror = {};  ///< none: the host reads and writes the buffer's bytes themselves
    uint64_t offset = 0;     ///< where what was asked for begins
    std::byte* data() const { return mirror.data() ? mirror.data() : buffer.mapped(); }
};

/// A buffer for so many bytes on a device that has shared memory. `alignment` is a power of two.
Result<SharedBuffer> make_shared_buffer(Device& device, uint64_t size_bytes, uint64_t alignment);

/// Asks a device that is being opened.
SharedMemory find_shared_memory(Device& device);

}  // namespace caldera::runtime
