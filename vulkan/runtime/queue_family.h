// SPDX-License-Identifier: Apache-2.0
// Which of a device's families of queues do what.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>

namespace caldera::runtime {

struct QueueFamily {
    uint32_t index = 0;
    VkQueueFamilyProperties properties = {};
};
struct QueueFamilies {
    QueueFamily compute = {};
    std::optional<QueueFamily> copies = {};  ///< copies and does nothing else: at the same time as kernels
    /// Binds memory to sparse buffers: the family that copies or the compute family if one of them can, which needs no queue more.
    std::optional<QueueFamily> sparse = {};
};

/// None when the device has no compute queue.
std::optional<QueueFamilies> queue_families(VkPhysicalDevice physical);

/// Sizes in bytes above which one piece of memory, or a buffer, cannot be made. Where memory can be bound to buffers sparsely, the
/// latter is the larger.
struct SizeLimits {
    uint64_t allocation = 0, buffer = 0;
};
SizeLimits size_limits(VkPhysicalDevice physical);

}  // namespace caldera::runtime
