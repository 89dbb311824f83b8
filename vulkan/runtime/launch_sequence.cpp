// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/launch_sequence.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {
namespace {

/// The kernel in the form that reads its arguments from memory. None if there is none, or it is that already.
std::optional<Kernel> with_block(const Kernel& kernel) {
    if (kernel.interface().block != vulkan::ArgumentBlock::PushConstants ||
        kernel.interface().block_bytes == 0)
        return std::nullopt;
    Program* form = kernel.program().block_form();
    if (!form || !form->find_kernel(kernel.interface().name)) return std::nullopt;
    Result<Kernel> made = kernel.in_form(*form);
    if (!made || made->unset_argument()) return std::nullopt;
    return made.take();
}

}  // namespace

bool LaunchSequence::can_have(const Kernel& kernel) {
    const vulkan::Kernel& interface = kernel.interface();
    const bool has_private_buffer =
        interface.private_bytes != 0 || kernel.form().interface().private_bytes != 0;
    const bool is_checked =
        kernel.program().device().checks() != vulkan::MemoryChecks::None;  // memory comes and goes
    return !is_checked && !interface.prints && !interface.enqueues && !interface.is_block &&
           !has_private_buffer;
}

bool LaunchSequence::can_have(const SequenceTransfer& transfer) {
    if (!transfer.to->check_usage(VK_BUFFER_USAGE_TRANSFER_DST_BIT)) return false;
    const Buffer& read = transfer.from ? *transfer.from : *transfer.to;  // a pattern may be copied from there
    if (!read.check_usage(VK_BUFFER_USAGE_TRANSFER_SRC_BIT)) return false;
    if (!transfer.from) return transfer.bytes.size() < Queue::kLaneBytes;
    if ((transfer.from->use() == MemoryUse::Device) == (transfer.to->use() == MemoryUse::Device)) return true;
    uint64_t bytes = 0;
    for (const CopyRegion& region : transfer.regions) bytes += region.bytes();
    return bytes < Queue::kLaneBytes;
}

Result<std::shared_ptr<SequencePool>> SequencePool::create(Device& device) {
    auto pool = std::make_shared<SequencePool>(device);
    const VkCommandPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .queueFamilyIndex = device.families().compute.index};
    if (const VkResult result = pool->pool_.make(device.vk(), vkCreateCommandPool, info);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateCommandPool", result);
    return pool;
}

Result<std::shared_ptr<LaunchSequence>> LaunchSequence::create(
    const std::shared_ptr<SequencePool>& pool, std::span<const Item> items,
    std::vector<std::shared_ptr<const void>> kept) {
    auto sequence = std::make_shared<LaunchSequence>(pool);
    {
        const std::lock_guard lock(pool->mutex_);
        if (const Result<Done> done = sequence->record(items); !done) return done.error();
    }
    for (std::shared_ptr<const void>& each : kept) sequence->recording_.keep(std::move(each));
    return sequence;
}

LaunchSequence::~LaunchSequence() {
    if (!commands_) return;
    const std::lock_guard lock(pool_->mutex_);
    vkFreeCommandBuffers(pool_->device_.vk(), pool_->pool_.get(), 1, &commands_);
}

Result<Done> LaunchSequence::record(std::span<const Item> items) {
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool_->pool_.get(),
                                           .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                           .commandBufferCount = 1};
    if (const VkResult result = vkAllocateCommandBuffers(pool_->device_.vk(), &info, &commands_);
        result != VK_SUCCESS)
        return vulkan_error("vkAllocateCommandBuffers", result);
    const VkCommandBufferInheritanceInfo inheritance{.sType =
                                                         VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                         .pInheritanceInfo = &inheritance};
    if (const VkResult result = vkBeginCommandBuffer(commands_, &begin); result != VK_SUCCESS)
        return vulkan_error("vkBeginCommandBuffer", result);
    for (const Item& item : items) {
        if (item.after_all) full_barrier(commands_, kStages, kDeviceAccess);
        Result<Blocks> blocks = record(item);
        if (!blocks) return blocks.error();
        blocks_.push_back(blocks.take());
    }
    if (const VkResult result = vkEndCommandBuffer(commands_); result != VK_SUCCESS)
        return vulkan_error("vkEndCommandBuffer", result);
    return Done{};
}

Result<Done> LaunchSequence::record(const SequenceTransfer& transfer) {
    TransferRecorder recorder = recording_.transfers(pool_->copier_);
    if (transfer.from) return recorder.copy(commands_, *transfer.from, *transfer.to, transfer.regions);
    if (transfer.regions.empty())
        return recorder.fill(commands_, *transfer.to, transfer.offset_bytes, transfer.size_bytes,
                             transfer.bytes);
    return recorder.write(commands_, *transfer.to, transfer.bytes, transfer.regions);
}

Result<LaunchSequence::Blocks> LaunchSequence::record(const Item& item) {
    if (!item.kernel) {
        const Result<Done> done = record(item.transfer);
        return done ? Result<Blocks>(Blocks{}) : done.error();
    }
    const bool is_empty = std::ranges::find(item.range.global, uint64_t{0}) != item.range.global.end();
    if (is_empty) return Blocks{};
    const std::optional<Kernel> reads_memory =
        item.stores_arguments ? with_block(*item.kernel) : std::nullopt;
    const Kernel& kernel = reads_memory ? *reads_memory : *item.kernel;
    auto recorded = recording_.record(commands_, kernel, item.range);
    if (!recorded) return recorded.error();
    if (!item.stores_arguments) return Blocks{};
    return Blocks{.interface = &kernel.interface(), .places = std::move(recorded->blocks)};
}

void LaunchSequence::store_argument(size_t item, const Kernel& kernel, uint32_t index) {
    const Blocks& blocks = blocks_[item];
    const std::span<const std::byte> bytes = kernel.argument_bytes(index);
    for (std::byte* place : blocks.places)
        std::memcpy(place + blocks.interface->arguments[index].offset_bytes, bytes.data(), bytes.size());
}

}  // namespace caldera::runtime
