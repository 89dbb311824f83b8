// SPDX-License-Identifier: Apache-2.0
// Commands on what other APIs share with the queue's device, or with its application.
#include <algorithm>

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

Result<Event> Queue::acquire(std::span<const Buffer* const> buffers, std::span<const SharedTexels> textures) {
    return change_owner(buffers, textures, Owner::ThisQueue);
}
Result<Event> Queue::release(std::span<const Buffer* const> buffers, std::span<const SharedTexels> textures) {
    return change_owner(buffers, textures, Owner::Others);
}

namespace {

/// Both sides of a barrier. Others see nothing of what this side did before, and the reverse.
struct Sides {
    VkAccessFlags from_access = 0, to_access = 0;
    uint32_t from_family = 0, to_family = 0;
};

Sides sides(bool acquires, uint32_t own_family, uint32_t others_family) {
    return acquires ? Sides{0, kDeviceAccess, others_family, own_family}
                    : Sides{kDeviceAccess, 0, own_family, others_family};
}

VkBufferMemoryBarrier barrier_of(const Buffer& buffer, const Sides& sides) {
    return {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
            .srcAccessMask = sides.from_access,
            .dstAccessMask = sides.to_access,
            .srcQueueFamilyIndex = sides.from_family,
            .dstQueueFamilyIndex = sides.to_family,
            .buffer = buffer.vk(),
            .size = VK_WHOLE_SIZE};
}

VkImageMemoryBarrier barrier_of(const SharedTexture& texture, const Sides& sides) {
    const TextureShape& shape = texture.shape();
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .srcAccessMask = sides.from_access,
            .dstAccessMask = sides.to_access,
            .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = sides.from_family,
            .dstQueueFamilyIndex = sides.to_family,
            .image = texture.vk(),
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, shape.levels, 0, shape.layers}};
}

void copy_texels(VkCommandBuffer commands, const SharedTexels& texels, bool to_bytes) {
    if (!texels.bytes) return;
    const Buffer& bytes = *texels.bytes;
    const VkBufferImageCopy level =
        whole_level(texels.texture->shape(), 0, bytes.vk_offset_bytes(), texels.rows);
    const VkImage image = texels.texture->vk();
    if (to_bytes)
        vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, bytes.vk(), 1, &level);
    else
        vkCmdCopyBufferToImage(commands, bytes.vk(), image, VK_IMAGE_LAYOUT_GENERAL, 1, &level);
}

}  // namespace

/// The barriers of Vulkan 7.7.4: writes of the owner before are visible to the one after it. Texels are
/// copied while the queue owns the texture, as one command with that.
Result<Event> Queue::change_owner(std::span<const Buffer* const> buffers,
                                  std::span<const SharedTexels> textures, Owner next) {
    const uint32_t own_family = device_.families().compute.index;
    const bool acquires = next == Owner::ThisQueue;
    std::vector<VkBufferMemoryBarrier> of_buffers;
    for (const Buffer* buffer : buffers)
        of_buffers.push_back(barrier_of(*buffer, sides(acquires, own_family, buffer->others_family())));
    std::vector<VkImageMemoryBarrier> of_images;
    for (const SharedTexels& each : textures)
        of_images.push_back(barrier_of(*each.texture, sides(acquires, own_family, VK_QUEUE_FAMILY_EXTERNAL)));
    const auto change = [&](Batch& batch) {
        constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        if (!acquires)
            for (const SharedTexels& each : textures) copy_texels(batch.commands, each, false);
        vkCmdPipelineBarrier(batch.commands, kAll, kAll, 0, 0, nullptr,
                             static_cast<uint32_t>(of_buffers.size()), of_buffers.data(),
                             static_cast<uint32_t>(of_images.size()), of_images.data());
        if (acquires)
            for (const SharedTexels& each : textures) copy_texels(batch.commands, each, true);
        return Done{};
    };
    const bool copies = std::ranges::any_of(textures, [](const auto& each) { return each.bytes != nullptr; });
    return add_command(change, copies ? Weight::Heavy : Weight::Light);
}

}  // namespace caldera::runtime
