// SPDX-License-Identifier: Apache-2.0
// What the files of Queue record alike.
#pragma once

#include <cstdint>

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

constexpr uint32_t kMaxCommands = 64;  // of a batch

constexpr VkPipelineStageFlags kStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

/// What commands do to memory.
constexpr VkAccessFlags kDeviceAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;

/// Everything before is finished and visible to everything after.
inline void full_barrier(VkCommandBuffer commands, VkPipelineStageFlags to, VkAccessFlags to_access) {
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = to_access};
    vkCmdPipelineBarrier(commands, kStages, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace caldera::runtime
