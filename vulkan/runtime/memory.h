// SPDX-License-Identifier: Apache-2.0
// Device memory: sub-allocation in blocks, and the choice of the memory type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

class Allocator;

/// What the memory is for.
enum class MemoryUse : uint8_t {
    Device,  ///< kernels' data: device-local; also mapped where the device offers all of that memory to the host
    Upload,    ///< written by the host once, read by the device once
    Download,  ///< written by the device, read by the host: cached
};

/// Offset to size, neighbours merged.
using FreeRanges = std::map<uint64_t, uint64_t>;

/// One VkDeviceMemory.
struct MemoryBlock {
    MemoryHandle memory = {};
    uint32_t type = 0;
    uint64_t size = 0;
    std::byte* mapped = nullptr;
    bool host_cached = false;
    FreeRanges free_ranges = {};
    uint64_t emptied = 0;  ///< counts up from block to block, so that the oldest spare one goes first

    bool is_empty() const { return free_ranges.size() == 1 && free_ranges.begin()->second == size; }
};

/// A stretch of device memory. Movable; returns itself to its allocator when it dies.
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
    uint64_t offset_bytes() const { return offset_; }
    /// Where the host sees it, or null. Host-visible memory is always coherent here.
    std::byte* mapped() const { return block_ && block_->mapped ? block_->mapped + offset_ : nullptr; }
    /// Whether the host reads it at the speed of its own memory; what is mapped from a card it does not.
    bool host_cached() const { return block_ && block_->host_cached; }

 private:
    friend class Allocator;
    void swap(Allocation& other);

    Allocator* allocator_ = nullptr;
    MemoryBlock* block_ = nullptr;
    uint64_t offset_ = 0, size_ = 0;
    FreeRanges::node_type range_ = {};  // to be given back with it, which thus needs no memory of the host's
};

/// Thread-safe. First fit in blocks of 64 MiB; what is larger than a quarter of that has a block of its own. Empty blocks are kept
/// for what comes next, up to a sixteenth of their heap, and given back when the device has no other memory: allocating
/// one takes a driver milliseconds, and libraries make a temporary buffer for each call.
class Allocator {
 public:
    Allocator(VkPhysicalDevice physical, VkDevice device);

    Result<Allocation> allocate(const VkMemoryRequirements& requirements, MemoryUse use);
    uint64_t used_bytes() const;
    /// Of the device's, used or kept.
    uint64_t held_bytes() const;
    /// What a heap of the device keeps at most in empty blocks.
    uint64_t most_spare_bytes(uint32_t heap) const;
    uint32_t heap_count() const { return properties_.memoryHeapCount; }

 private:
    friend class Allocation;
    void release(Allocation& allocation);
    Result<uint32_t> choose_type(uint32_t allowed, MemoryUse use) const;
    /// An empty block for an allocation alone in it, or null.
    MemoryBlock* find_spare(uint32_t type, uint64_t size_bytes);
    Result<MemoryBlock*> add_block(uint32_t type, uint64_t size_bytes);
    /// Gives the oldest empty blocks back until no more than so many bytes of the heap are kept in them.
    void trim(uint32_t heap, uint64_t most_bytes);
    uint32_t heap_of(const MemoryBlock& block) const { return properties_.memoryTypes[block.type].heapIndex; }
    Allocation carve(MemoryBlock& block, uint64_t range_at, uint64_t at, uint64_t size_bytes);

    VkDevice device_;
    VkPhysicalDeviceMemoryProperties properties_ = {};
    bool device_memory_is_mapped_ = false;  // the largest device-local heap is host-visible
    mutable std::mutex mutex_ = {};
    std::vector<std::unique_ptr<MemoryBlock>> blocks_ = {};
    uint64_t used_ = 0, times_emptied_ = 0;
};

}  // namespace caldera::runtime
