// SPDX-License-Identifier: Apache-2.0
// Commands on what other APIs share with the queue's device, or with its application.
#include "spirv/support/try.h"
#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/external_semaphore.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {

static Result<Done> check_semaphore(const Device& device, const SemaphoreValue& semaphore) {
    if (!semaphore.semaphore) return Error{.message = "the semaphore is null"};
    if (!device.functions().wait_semaphores)
        return Error{.message = "the device was made without timelineSemaphore",
                     .code = VK_ERROR_FEATURE_NOT_PRESENT};
    return Done{};
}

Result<Done> Queue::wait_for(const SemaphoreValue& semaphore) {
    TRY(check_semaphore(device_, semaphore));
    return submit_wait(semaphore);
}

Result<Done> Queue::signal(const SemaphoreValue& semaphore) {
    TRY(check_semaphore(device_, semaphore));
    return submit_signal(semaphore);
}

Result<Done> Queue::wait_for(const ExternalSemaphore& semaphore) {
    return submit_wait({.semaphore = semaphore.vk()});
}

Result<Done> Queue::signal(const ExternalSemaphore& semaphore) {
    return submit_signal({.semaphore = semaphore.vk()});
}

Result<Done> Queue::submit_wait(const SemaphoreValue& semaphore) {
    std::unique_lock lock(mutex_);
    TRY(wait_for_room(lock));
    TRY(submit());  // what was recorded before does not wait
    Result<Batch*> batch = open_batch_now();
    if (!batch) return batch.error();
    (*batch)->semaphore_waits.push_back(semaphore);
    return Done{};
}

Result<Done> Queue::submit_signal(const SemaphoreValue& semaphore) {
    std::unique_lock lock(mutex_);
    Result<Batch*> batch = open_batch(lock);
    if (!batch) return batch.error();
    (*batch)->signals.push_back(semaphore);
    return submit();
}

Result<Event> Queue::acquire(std::span<const Buffer* const> buffers) {
    return change_owner(buffers, Owner::ThisQueue);
}
Result<Event> Queue::release(std::span<const Buffer* const> buffers) {
    return change_owner(buffers, Owner::Others);
}

/// The barriers of Vulkan 7.7.4: writes of the owner before are visible to the one after it.
Result<Event> Queue::change_owner(std::span<const Buffer* const> buffers, Owner next) {
    const uint32_t own_family = device_.families().compute.index;
    std::vector<VkBufferMemoryBarrier> barriers;
    for (const Buffer* buffer : buffers)
        barriers.push_back(
            {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
             .srcAccessMask = next == Owner::ThisQueue ? 0 : kDeviceAccess,
             .dstAccessMask = next == Owner::ThisQueue ? kDeviceAccess : 0,
             .srcQueueFamilyIndex = next == Owner::ThisQueue ? buffer->others_family() : own_family,
             .dstQueueFamilyIndex = next == Owner::ThisQueue ? own_family : buffer->others_family(),
             .buffer = buffer->vk(),
             .size = VK_WHOLE_SIZE});
    const auto change = [&](Batch& batch) {
        constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        vkCmdPipelineBarrier(batch.commands, kAll, kAll, 0, 0, nullptr,
                             static_cast<uint32_t>(barriers.size()), barriers.data(), 0, nullptr);
        return Done{};
    };
    return add_command(change, Weight::Light);
}

}  // namespace caldera::runtime
