// SPDX-License-Identifier: Apache-2.0
// Device memory: sub-allocation from blocks, and the choice of the memory type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/runtime/free_ranges.h"
#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

class Allocator;

/// The size of the largest device-local heap.
uint64_t device_local_bytes(const VkPhysicalDeviceMemoryProperties& properties);
/// The chain of a VkMemoryAllocateInfo, for memory whose buffers have device addresses if the device has
/// them.
const void* address_flags(bool has_addresses);

/// What the memory is for.
enum class MemoryUse : uint8_t {
    /// data of kernels: device-local; also mapped if the device offers all of that memory to the host
    Device,
    Upload,      ///< written by the host once, read by the device once
    Download,    ///< written by the device, read by the host: cached
    Parameters,  ///< written by the host, read by the device again and again: device-local where it can be
};

/// One VkDeviceMemory.
struct MemoryBlock {
    explicit MemoryBlock(uint64_t bytes) : size(bytes), free(bytes) {}

    MemoryHandle memory = {};
    uint32_t type = 0;
    uint64_t size;
    std::byte* mapped = nullptr;
    bool host_cached = false;
    FreeRanges free;
    /// increases with each block that becomes empty, so that the oldest spare one is released first
    uint64_t emptied = 0;

    bool is_empty() const { return free.are_all(); }
};

/// A range of device memory. Movable; returns itself to its allocator when destroyed.
class Allocation {
 public:
    Allocation() = default;
    Allocation(Allocation&& other) noexcept { swap(other); }
    Allocation& operator=(Allocation&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Allocation();

    VkDeviceMemory memory() const { return block_->memory.get(); }
    uint64_t offset_bytes() const { return range_.offset_bytes(); }
    /// Where the host sees it, or null. Host-visible memory is always coherent here.
    std::byte* mapped() const { return block_ && block_->mapped ? block_->mapped + offset_bytes() : nullptr; }
    /// Whether the host reads it as fast as its own memory. It does not if the memory is mapped from a
    /// graphics card.
    bool host_cached() const { return block_ && block_->host_cached; }

 private:
    friend class Allocator;
    void swap(Allocation& other);

    Allocator* allocator_ = nullptr;
    MemoryBlock* block_ = nullptr;
    FreeRanges::Taken range_ = {};
};

/// Thread-safe. Uses the best fit in the first block of 64 MiB that has room. Allocations above a quarter of
/// that get their own block.
/// Empty blocks are kept for reuse, up to a sixteenth of their heap, and released if the device has no other
/// memory: an allocation takes a driver milliseconds, and libraries make a temporary buffer for each call.
class Allocator {
 public:
    /// `has_addresses`: buffers of the memory have device addresses.
    Allocator(VkPhysicalDevice physical, VkDevice device, bool has_addresses);

    Result<Allocation> allocate(const VkMemoryRequirements& requirements, MemoryUse use);
    /// Memory of its own that is not mapped yet, and is the caller's.
    Result<MemoryHandle> allocate_alone(const VkMemoryRequirements& requirements, MemoryUse use);
    uint64_t used_bytes() const;
    /// Bytes of device memory, used or kept.
    uint64_t held_bytes() const;
    /// The most bytes that empty blocks of a heap keep.
    uint64_t most_spare_bytes(uint32_t heap) const;
    uint32_t heap_count() const { return properties_.memoryHeapCount; }
    uint64_t device_bytes() const { return device_local_bytes(properties_); }

 private:
    friend class Allocation;
    void release(Allocation& allocation);
    Result<uint32_t> choose_type(uint32_t allowed, MemoryUse use) const;
    /// An empty block for an allocation that gets its own block, or null.
    MemoryBlock* find_spare(uint32_t type, uint64_t size_bytes);
    Result<MemoryHandle> make_memory(uint32_t type, uint64_t size_bytes);
    Result<MemoryBlock*> add_block(uint32_t type, uint64_t size_bytes);
    /// Releases the oldest empty blocks until the heap keeps no more than so many bytes in them.
    void trim(uint32_t heap, uint64_t most_bytes);
    uint32_t heap_of(const MemoryBlock& block) const { return properties_.memoryTypes[block.type].heapIndex; }
    /// Null if the block has no room.
    std::optional<Allocation> carve(MemoryBlock& block, uint64_t size_bytes, uint64_t alignment);

    VkDevice device_;
    VkPhysicalDeviceMemoryProperties properties_ = {};
    const bool has_addresses_;
    bool device_memory_is_mapped_ = false;  // the largest device-local heap is host-visible
    mutable std::mutex mutex_ = {};
    std::vector<std::unique_ptr<MemoryBlock>> blocks_ = {};
    uint64_t used_ = 0, times_emptied_ = 0;
};

}  // namespace caldera::runtime
