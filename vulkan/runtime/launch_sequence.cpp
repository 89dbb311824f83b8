// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/launch_sequence.h"

#include <algorithm>
#include <utility>

#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

bool LaunchSequence::can_have(const Kernel& kernel) {
    const vulkan::Kernel& interface = kernel.interface();
    const bool has_private_buffer =
        interface.private_bytes != 0 || kernel.form().interface().private_bytes != 0;
    return !interface.prints && !interface.enqueues && !interface.is_block && !has_private_buffer;
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

Result<std::shared_ptr<const LaunchSequence>> LaunchSequence::create(
    const std::shared_ptr<SequencePool>& pool, std::span<const Item> items,
    std::vector<std::shared_ptr<const void>> kept) {
    auto sequence = std::make_shared<LaunchSequence>(pool);
    {
        const std::lock_guard lock(pool->mutex_);
        if (const Result<Done> done = sequence->record(items); !done) return done.error();
    }
    for (std::shared_ptr<const void>& each : kept) sequence->recording_.keep(std::move(each));
    return std::shared_ptr<const LaunchSequence>(std::move(sequence));
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
        const bool is_empty = std::ranges::find(item.range.global, uint64_t{0}) != item.range.global.end();
        if (is_empty) continue;
        const auto recorded = recording_.record(commands_, *item.kernel, item.range);
        if (!recorded) return recorded.error();
    }
    if (const VkResult result = vkEndCommandBuffer(commands_); result != VK_SUCCESS)
        return vulkan_error("vkEndCommandBuffer", result);
    return Done{};
}

}  // namespace caldera::runtime
