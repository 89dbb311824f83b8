// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/buffer.h"

#include <algorithm>

#include "spirv/support/align.h"
#include "spirv/support/pages.h"
#include "vulkan/runtime/buffer_usage.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/imported_memory.h"

namespace caldera::runtime {
namespace {

/// Vulkan has no empty buffers. Kernels access parts of a word as words, and drivers keep them within the
/// range of a descriptor.
uint64_t vulkan_size(uint64_t size_bytes) { return std::max<uint64_t>(align_up(size_bytes, 4), 4); }

uint64_t address_of(const Device& device, VkBuffer buffer) {
    if (!device.has_addresses()) return 0;
    const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = buffer};
    return device.functions().get_buffer_device_address(device.vk(), &info);
}

}  // namespace

Result<Buffer> Buffer::create(Device& device, uint64_t size_bytes, MemoryUse use, uint64_t alignment) {
    // The host can map memory only in one piece, so a buffer that the host must see is one piece of memory.
    const uint64_t limit =
        use == MemoryUse::Device ? device.max_buffer_bytes() : device.max_allocation_bytes();
    if (size_bytes > limit)
        return Error{.message = "a buffer of " + std::to_string(size_bytes) +
                                " bytes exceeds the device's limit of " + std::to_string(limit),
                     .code = VK_ERROR_OUT_OF_DEVICE_MEMORY};
    const bool is_sparse = size_bytes > device.max_allocation_bytes();
    Buffer out;
    out.use_ = use;
    const Result<VkMemoryRequirements> requirements =
        out.make(device, size_bytes, alignment,
                 is_sparse ? VkBufferCreateFlags{VK_BUFFER_CREATE_SPARSE_BINDING_BIT} : 0);
    if (!requirements) return requirements.error();
    const Result<Done> bound =
        is_sparse ? out.bind_pieces(device, *requirements, use) : out.bind(device, *requirements, use);
    if (!bound) return bound.error();
    out.address_ = address_of(device, out.vk());
    if (use == MemoryUse::Device)
        out.allow_access(device);
    else if (device.allocations() && out.address_ != 0)
        device.allocations()->take({out.address_, size_bytes});
    return out;
}

void Buffer::allow_access(const Device& device) {
    if (!device.allocations() || address_ == 0) return;
    entry_ = {};
    entry_ = TableEntry(*device.allocations(), {address_, size_});
}

/// Makes the VkBuffer, without memory.
Result<VkMemoryRequirements> Buffer::make(Device& device, uint64_t size_bytes, uint64_t alignment,
                                          VkBufferCreateFlags flags, const void* chain) {
    const std::vector<uint32_t> users = device.families().users();
    size_ = size_bytes;
    const VkBufferCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = chain,
        .flags = flags,
        .size = vulkan_size(size_bytes),
        .usage = buffer_usage(device.has_addresses()),
        .sharingMode = users.size() > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = static_cast<uint32_t>(users.size()),
        .pQueueFamilyIndices = users.data()};
    if (const VkResult result = buffer_.make(device.vk(), vkCreateBuffer, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateBuffer", result);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device.vk(), vk(), &requirements);
    requirements.alignment = std::max({requirements.alignment, kAlignment, alignment});
    return requirements;
}

Result<Buffer> Buffer::create_unmapped(Device& device, uint64_t size_bytes, uint64_t alignment) {
    if (size_bytes > device.max_allocation_bytes())
        return Error{.message = "mapped memory of " + std::to_string(size_bytes) + " bytes is too large",
                     .code = VK_ERROR_OUT_OF_DEVICE_MEMORY};
    Buffer out;
    out.use_ = MemoryUse::Download;
    Result<VkMemoryRequirements> requirements =
        out.make(device, align_up(size_bytes, device.placed_maps().alignment()), alignment, 0);
    if (!requirements) return requirements.error();
    VkMemoryRequirements whole = *requirements;
    whole.size = align_up(whole.size, device.placed_maps().alignment());
    Result<MemoryHandle> memory = device.allocator().allocate_alone(whole, out.use_);
    if (!memory) return memory.error();
    out.own_memory_ = memory.take();
    out.own_bytes_ = whole.size;
    if (const VkResult bound = vkBindBufferMemory(device.vk(), out.vk(), out.own_memory_.get(), 0);
        bound != VK_SUCCESS)
        return vulkan_error("vkBindBufferMemory", bound);
    out.address_ = address_of(device, out.vk());
    out.allow_access(device);
    return out;
}

Result<Done> Buffer::map_at_address(const Device& device) {
    const PlacedMaps& maps = device.placed_maps();
    void* const reserved = address_ % maps.alignment() == 0 ? reserve_pages(address_, own_bytes_) : nullptr;
    if (!reserved)
        return Error{.message = "the host cannot map memory at address " + std::to_string(address_)};
    Result<Done> mapped = maps.map(device.vk(), own_memory_.get(), own_bytes_, reserved);
    if (mapped)
        placed_ = static_cast<std::byte*>(reserved);
    else
        unmap_pages(reserved, own_bytes_);
    return mapped;
}

Result<Buffer> Buffer::adopt(const Device& device, const AdoptedBuffer& given) {
    const auto declined = [](const std::string& why) { return Error{.message = "the buffer " + why}; };
    if (!given.buffer) return declined("is null");
    if (given.size_bytes == 0) return declined("has no bytes");
    if (given.offset_bytes % 4 != 0 || given.size_bytes % 4 != 0)
        return declined("has an offset or a size that is not a multiple of 4 bytes");
    const bool has_address = given.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (!has_address && !(given.usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT))
        return declined(
            "was made neither with VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT nor with "
            "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT");
    if (has_address && !device.has_addresses())
        return declined("has an address, but the device was made without bufferDeviceAddress");
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device.vk(), given.buffer, &requirements);
    if (given.offset_bytes > requirements.size || given.size_bytes > requirements.size - given.offset_bytes)
        return declined("of at most " + std::to_string(requirements.size) + " bytes does not have " +
                        std::to_string(given.size_bytes) + " bytes at " + std::to_string(given.offset_bytes));
    Buffer out;
    out.is_adopted_ = true;
    out.adopted_ = given.buffer;
    out.usage_ = given.usage;
    out.size_ = given.size_bytes;
    out.vk_offset_ = given.offset_bytes;
    if (has_address) out.address_ = address_of(device, given.buffer) + given.offset_bytes;
    out.allow_access(device);
    return out;
}

Result<Buffer> Buffer::import(Device& device, uint64_t size_bytes, VkExternalMemoryHandleTypeFlagBits type,
                              int descriptor) {
    const VkExternalMemoryBufferCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = static_cast<VkFlags>(type)};
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .pNext = &external,
                                  .size = vulkan_size(size_bytes),
                                  .usage = buffer_usage(device.has_addresses()),
                                  .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    Buffer out;
    out.size_ = size_bytes;
    if (type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT && device.external().tells_foreign_queues)
        out.others_family_ = VK_QUEUE_FAMILY_FOREIGN_EXT;
    if (const VkResult result = out.buffer_.make(device.vk(), vkCreateBuffer, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateBuffer", result);
    Result<MemoryHandle> memory = import_memory(device, out.vk(), type, descriptor);
    if (!memory) return memory.error();
    out.imported_ = memory.take();
    if (const VkResult bound = vkBindBufferMemory(device.vk(), out.vk(), out.imported_.get(), 0);
        bound != VK_SUCCESS)
        return vulkan_error("vkBindBufferMemory", bound);
    out.address_ = address_of(device, out.vk());
    out.allow_access(device);
    return out;
}

Result<Buffer> Buffer::on_host_memory(Device& device, uint64_t size_bytes, std::byte* begin) {
    const uint64_t page = device.external().host_alignment;
    if (page == 0) return Error{.message = "the device cannot use the host's memory"};
    const VkExternalMemoryBufferCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = device.external().host_memory};
    Buffer out;
    const Result<VkMemoryRequirements> needed = out.make(device, size_bytes, kAlignment, 0, &external);
    if (!needed) return needed.error();
    const uint64_t into_page = reinterpret_cast<uint64_t>(begin) % page;
    if (into_page % needed->alignment != 0)
        return Error{.message = "the host's memory begins where no buffer of the device does"};
    Result<MemoryHandle> memory = import_host_memory(
        device, begin - into_page, align_up(into_page + needed->size, page), needed->memoryTypeBits);
    if (!memory) return memory.error();
    out.own_memory_ = memory.take();
    if (const VkResult bound = vkBindBufferMemory(device.vk(), out.vk(), out.own_memory_.get(), into_page);
        bound != VK_SUCCESS)
        return vulkan_error("vkBindBufferMemory", bound);
    out.address_ = address_of(device, out.vk());
    out.allow_access(device);
    return out;
}

Result<Done> Buffer::check_usage(VkBufferUsageFlagBits flag) const {
    if (usage_ & flag) return Done{};
    const char* name = "VK_BUFFER_USAGE_TRANSFER_DST_BIT";
    switch (flag) {
        case VK_BUFFER_USAGE_TRANSFER_SRC_BIT: name = "VK_BUFFER_USAGE_TRANSFER_SRC_BIT"; break;
        case VK_BUFFER_USAGE_STORAGE_BUFFER_BIT: name = "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT"; break;
        case VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT:
            name = "VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT";
            break;
        default: break;
    }
    return Error{.message = std::string("the buffer was made without ") + name};
}

uint64_t Buffer::range_bytes_from(uint64_t offset_bytes) const {
    const uint64_t size = vulkan_size(size_);
    return size - std::min(offset_bytes, size);
}

Result<Done> Buffer::bind(Device& device, const VkMemoryRequirements& requirements, MemoryUse use) {
    constexpr uint64_t kGapBytes = 256;  // what is just behind a buffer is not the next one
    VkMemoryRequirements wanted = requirements;
    if (reports(device.checks())) wanted.size += kGapBytes;
    Result<Allocation> allocation = device.allocator().allocate(wanted, use);
    if (!allocation) return allocation.error();
    const VkResult bound =
        vkBindBufferMemory(device.vk(), vk(), allocation->memory(), allocation->offset_bytes());
    memory_.push_back(allocation.take());
    return bound == VK_SUCCESS ? Result<Done>(Done{}) : vulkan_error("vkBindBufferMemory", bound);
}

/// Binds one range of addresses to as many pieces of memory as needed.
Result<Done> Buffer::bind_pieces(Device& device, const VkMemoryRequirements& requirements, MemoryUse use) {
    const uint64_t most = device.max_allocation_bytes() / requirements.alignment * requirements.alignment;
    std::vector<VkSparseMemoryBind> binds;
    for (uint64_t at = 0; at < requirements.size; at += most) {
        VkMemoryRequirements piece = requirements;
        piece.size = std::min(most, requirements.size - at);
        Result<Allocation> allocation = device.allocator().allocate(piece, use);
        if (!allocation) return allocation.error();
        binds.push_back({.resourceOffset = at,
                         .size = piece.size,
                         .memory = allocation->memory(),
                         .memoryOffset = allocation->offset_bytes()});
        memory_.push_back(allocation.take());
    }
    const VkSparseBufferMemoryBindInfo info{
        .buffer = vk(), .bindCount = static_cast<uint32_t>(binds.size()), .pBinds = binds.data()};
    return device.bind_sparse(info);
}

}  // namespace caldera::runtime
