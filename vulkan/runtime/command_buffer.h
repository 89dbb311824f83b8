// SPDX-License-Identifier: Apache-2.0
// What the source files of Queue share for recording commands.
#pragma once

#include <cstdint>

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

constexpr uint32_t kMaxCommands = 64;  // of a batch

constexpr VkPipelineStageFlags kStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

/// How commands access memory.
constexpr VkAccessFlags kDeviceAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;

/// The stages of a barrier that a transfer-only queue supports.
constexpr VkPipelineStageFlags kCopyStages = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT;
constexpr VkAccessFlags kCopyAccess =
    VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;

/// Everything recorded before has finished, and its writes are visible to everything after.
inline void full_barrier(VkCommandBuffer commands, VkPipelineStageFlags to, VkAccessFlags to_access,
                         bool only_copies = false) {
    const VkPipelineStageFlags stages = only_copies ? kCopyStages : ~0u;
    const VkAccessFlags access = only_copies ? kCopyAccess : ~0u;
    const VkMemoryBarrier barrier{
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT) & access,
        .dstAccessMask = to_access & access};
    vkCmdPipelineBarrier(commands, kStages & stages, to & stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace caldera::runtime
