// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/memory.h"

#include <algorithm>
#include <utility>

#include "spirv/support/align.h"

namespace caldera::runtime {
namespace {

constexpr uint64_t kBlockBytes = 64ull << 20;
constexpr uint64_t kSparePart = 16;  // part of a heap that may be kept unused

}  // namespace

uint64_t device_local_bytes(const VkPhysicalDeviceMemoryProperties& properties) {
    uint64_t largest = 0;
    for (uint32_t h = 0; h < properties.memoryHeapCount; ++h)
        if (properties.memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            largest = std::max(largest, properties.memoryHeaps[h].size);
    return largest;
}

const void* address_flags(bool has_addresses) {
    static constexpr VkMemoryAllocateFlagsInfo kFlags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                      .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    return has_addresses ? &kFlags : nullptr;
}

Allocation::~Allocation() {
    if (allocator_) allocator_->release(*this);
}

void Allocation::swap(Allocation& other) {
    std::swap(allocator_, other.allocator_);
    std::swap(block_, other.block_);
    std::swap(range_, other.range_);
}

Allocator::Allocator(VkPhysicalDevice physical, VkDevice device, bool has_addresses)
    : device_(device), has_addresses_(has_addresses) {
    vkGetPhysicalDeviceMemoryProperties(physical, &properties_);
    // Data of kernels does not go into a small host-visible window of device memory, but may do so if all
    // device memory is host-visible.
    const uint64_t largest = device_bytes();
    constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                              VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t t = 0; t < properties_.memoryTypeCount; ++t) {
        const VkMemoryType& type = properties_.memoryTypes[t];
        if ((type.propertyFlags & kMapped) == kMapped &&
            properties_.memoryHeaps[type.heapIndex].size >= largest)
            device_memory_is_mapped_ = true;
    }
}

uint64_t Allocator::used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

uint64_t Allocator::held_bytes() const {
    const std::lock_guard lock(mutex_);
    uint64_t sum = 0;
    for (const std::unique_ptr<MemoryBlock>& block : blocks_) sum += block->size;
    return sum;
}

uint64_t Allocator::most_spare_bytes(uint32_t heap) const {
    return std::max(kBlockBytes, properties_.memoryHeaps[heap].size / kSparePart);
}

Result<uint32_t> Allocator::choose_type(uint32_t allowed, MemoryUse use) const {
    constexpr VkMemoryPropertyFlags kHost =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // Sets of desired properties, best first. The first one that some allowed type has in full is used.
    std::vector<VkMemoryPropertyFlags> wishes;
    switch (use) {
        case MemoryUse::Device:
            if (device_memory_is_mapped_) wishes.push_back(kLocal | kHost);
            wishes.push_back(kLocal);
            wishes.push_back(0);
            break;
        case MemoryUse::Upload: wishes = {kHost}; break;
        case MemoryUse::Download: wishes = {kHost | kCached, kHost}; break;
        case MemoryUse::Parameters: wishes = {kHost | kLocal, kHost}; break;
    }
    for (const VkMemoryPropertyFlags wish : wishes)
        for (uint32_t t = 0; t < properties_.memoryTypeCount; ++t)
            if (allowed >> t & 1 && (properties_.memoryTypes[t].propertyFlags & wish) == wish) return t;
    return Error{.message = "the device has no memory type for this use"};
}

Result<MemoryHandle> Allocator::make_memory(uint32_t type, uint64_t size_bytes) {
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = address_flags(has_addresses_),
                                    .allocationSize = size_bytes,
                                    .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkResult result = vkAllocateMemory(device_, &info, nullptr, &memory);
    if (result != VK_SUCCESS) {
        trim(properties_.memoryTypes[type].heapIndex, 0);
        result = vkAllocateMemory(device_, &info, nullptr, &memory);
    }
    if (result != VK_SUCCESS) return vulkan_error("vkAllocateMemory", result);
    return MemoryHandle(device_, memory);
}

Result<MemoryHandle> Allocator::allocate_alone(const VkMemoryRequirements& requirements, MemoryUse use) {
    const std::lock_guard lock(mutex_);
    const Result<uint32_t> type = choose_type(requirements.memoryTypeBits, use);
    if (!type) return type.error();
    return make_memory(*type, requirements.size);
}

Result<MemoryBlock*> Allocator::add_block(uint32_t type, uint64_t size_bytes) {
    Result<MemoryHandle> memory = make_memory(type, size_bytes);
    if (!memory) return memory.error();
    auto block = std::make_unique<MemoryBlock>(size_bytes);
    block->memory = memory.take();
    block->type = type;
    // Nothing here flushes or invalidates ranges, so other memory is the device's alone.
    constexpr VkMemoryPropertyFlags kShared =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if ((properties_.memoryTypes[type].propertyFlags & kShared) == kShared) {
        void* mapped = nullptr;
        const VkResult result = vkMapMemory(device_, block->memory.get(), 0, VK_WHOLE_SIZE, 0, &mapped);
        if (result != VK_SUCCESS) return vulkan_error("vkMapMemory", result);
        block->mapped = static_cast<std::byte*>(mapped);
        block->host_cached = properties_.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    }
    blocks_.push_back(std::move(block));
    return blocks_.back().get();
}

MemoryBlock* Allocator::find_spare(uint32_t type, uint64_t size_bytes) {
    MemoryBlock* best = nullptr;
    for (const std::unique_ptr<MemoryBlock>& block : blocks_)
        if (block->type == type && block->is_empty() && block->size >= size_bytes &&
            block->size - size_bytes <= size_bytes / 4 && (!best || block->size < best->size))
            best = block.get();
    return best;
}

void Allocator::trim(uint32_t heap, uint64_t most_bytes) {
    const auto is_spare = [&](const std::unique_ptr<MemoryBlock>& block) {
        return block->is_empty() && heap_of(*block) == heap;
    };
    uint64_t kept = 0;
    for (const auto& block : blocks_) kept += is_spare(block) ? block->size : 0;
    while (kept > most_bytes) {
        auto oldest = blocks_.end();
        for (auto it = blocks_.begin(); it != blocks_.end(); ++it)
            if (is_spare(*it) && (oldest == blocks_.end() || (*it)->emptied < (*oldest)->emptied))
                oldest = it;
        kept -= (*oldest)->size;
        blocks_.erase(oldest);
    }
}

std::optional<Allocation> Allocator::carve(MemoryBlock& block, uint64_t size_bytes, uint64_t alignment) {
    std::optional<FreeRanges::Taken> range = block.free.take(size_bytes, alignment);
    if (!range) return std::nullopt;
    Allocation allocation;
    allocation.allocator_ = this;
    allocation.block_ = &block;
    allocation.range_ = std::move(*range);
    used_ += size_bytes;
    return allocation;
}

Result<Allocation> Allocator::allocate(const VkMemoryRequirements& requirements, MemoryUse use) {
    const std::lock_guard lock(mutex_);
    Result<uint32_t> type = choose_type(requirements.memoryTypeBits, use);
    if (!type) return type.error();

    const bool alone = requirements.size > kBlockBytes / 4;
    // A rest that is smaller than any allocation would stay unused.
    const uint64_t size = alone ? requirements.size : align_up(requirements.size, FreeRanges::kGrain);
    const auto carved = [&](MemoryBlock& block) -> Result<Allocation> {
        std::optional<Allocation> allocation = carve(block, size, requirements.alignment);
        if (!allocation) return Error{.message = "a block of memory has no room"};
        return std::move(*allocation);
    };
    if (!alone)
        for (const std::unique_ptr<MemoryBlock>& block : blocks_) {
            if (block->type != *type || block->size != kBlockBytes) continue;
            if (std::optional<Allocation> allocation = carve(*block, size, requirements.alignment))
                return std::move(*allocation);
        }
    if (alone)
        if (MemoryBlock* spare = find_spare(*type, size)) return carved(*spare);
    Result<MemoryBlock*> block = add_block(*type, alone ? size : kBlockBytes);
    // memory is nearly full: allocate without spare room
    if (!block && !alone) block = add_block(*type, size);
    if (!block) return block.error();
    return carved(**block);
}

void Allocator::release(Allocation& allocation) {
    const std::lock_guard lock(mutex_);
    used_ -= allocation.range_.size_bytes();
    MemoryBlock& block = *allocation.block_;
    block.free.give_back(std::move(allocation.range_));
    if (!block.is_empty()) return;
    block.emptied = ++times_emptied_;
    trim(heap_of(block), most_spare_bytes(heap_of(block)));
}

}  // namespace caldera::runtime
