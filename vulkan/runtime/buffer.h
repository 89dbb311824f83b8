// SPDX-License-Identifier: Apache-2.0
// Buffer: a stretch of device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv/support/result.h"
#include "vulkan/runtime/allocation_table.h"
#include "vulkan/runtime/handle.h"
#include "vulkan/runtime/memory.h"

namespace caldera::runtime {

class Device;

/// A buffer of an application, with the memory that is bound to it.
struct AdoptedBuffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    uint64_t offset_bytes = 0, size_bytes = 0;  ///< the stretch to use: multiples of 4
    VkBufferUsageFlags usage = 0;               ///< what it was made for
};

/// A stretch of device memory, with an address if the device has addresses, however large: above
/// Device::max_allocation_bytes() it is made of pieces of memory, which the host cannot see. Movable; must
/// not die while a queue still uses it.
class Buffer {
 public:
    Buffer() = default;
    /// long16 and double16 are aligned to 128 bytes (OpenCL C 6.1.5), and so is every buffer.
    static constexpr uint64_t kAlignment = 128;
    static Result<Buffer> create(Device& device, uint64_t size_bytes, MemoryUse use = MemoryUse::Device,
                                 uint64_t alignment = kAlignment);
    /// A buffer on memory of the host, which map_at_address() maps. The device has addresses and placed maps.
    static Result<Buffer> create_unmapped(Device& device, uint64_t size_bytes, uint64_t alignment);
    /// Makes the host see the buffer at its device address. Fails if the host has something there.
    Result<Done> map_at_address(const Device& device);
    /// A stretch of an application's buffer, which outlives this object. It has an address if the device has
    /// addresses and the buffer was made for them.
    static Result<Buffer> adopt(const Device& device, const AdoptedBuffer& given);
    /// A buffer on the memory of a file descriptor, which stays the caller's. Nobody knows the memory type
    /// of what others made, so each that may be it is tried. The host does not see the memory.
    static Result<Buffer> import(Device& device, uint64_t size_bytes, VkExternalMemoryHandleTypeFlagBits type,
                                 int descriptor);
    /// A buffer on the host's memory from `begin` on, which outlives it. Whoever else has the memory sees the
    /// same bytes. Fails where the device cannot use that memory.
    static Result<Buffer> on_host_memory(Device& device, uint64_t size_bytes, std::byte* begin);
    /// Whether it belongs to one queue family at a time. Copies beside kernels would use it in another one.
    bool is_exclusive() const { return is_adopted_ || imported_; }
    /// Who owns imported memory while no queue of the device does.
    uint32_t others_family() const { return others_family_; }

    /// Kernels whose accesses are checked may access it, as all buffers but those for transfers of the
    /// runtime's own.
    void allow_access(const Device& device);

    uint64_t size_bytes() const { return size_; }
    MemoryUse use() const { return use_; }
    /// What a kernel's pointer argument receives; 0 if the device has no addresses.
    uint64_t address() const { return address_; }
    /// For a descriptor of everything from a byte of the buffer on; 0 at its end. The words in which kernels
    /// access the last bytes are whole.
    uint64_t range_bytes_from(uint64_t offset_bytes) const;
    VkBuffer vk() const { return is_adopted_ ? adopted_ : buffer_.get(); }
    /// Where it begins in vk().
    uint64_t vk_offset_bytes() const { return vk_offset_; }
    /// The error names the flag that an application's buffer was made without.
    Result<Done> check_usage(VkBufferUsageFlagBits flag) const;
    /// Null when the host cannot see it.
    std::byte* mapped() const {
        if (placed_) return placed_;
        return memory_.size() == 1 ? memory_[0].mapped() : nullptr;
    }
    /// Mapped, and fast to read.
    bool host_cached() const { return placed_ || (memory_.size() == 1 && memory_[0].host_cached()); }

 private:
    Result<VkMemoryRequirements> make(Device& device, uint64_t size_bytes, uint64_t alignment,
                                      VkBufferCreateFlags flags, const void* chain = nullptr);
    Result<Done> bind(Device& device, const VkMemoryRequirements& requirements, MemoryUse use);
    Result<Done> bind_pieces(Device& device, const VkMemoryRequirements& requirements, MemoryUse use);

    std::vector<Allocation> memory_ = {};  // outlives the VkBuffer
    MemoryHandle imported_ = {};           // likewise
    MemoryHandle own_memory_ = {};         // likewise; the driver unmaps it when it is freed
    uint64_t own_bytes_ = 0;               // of own_memory_
    std::byte* placed_ = nullptr;          // where own_memory_ is mapped
    BufferHandle buffer_ = {};
    bool is_adopted_ = false;
    uint32_t others_family_ = VK_QUEUE_FAMILY_EXTERNAL;
    VkBuffer adopted_ = VK_NULL_HANDLE;
    VkBufferUsageFlags usage_ = ~0u;
    MemoryUse use_ = {};
    uint64_t size_ = 0, address_ = 0, vk_offset_ = 0;
    TableEntry entry_ = {};  // where accesses are checked
};

}  // namespace caldera::runtime
