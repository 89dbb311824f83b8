// SPDX-License-Identifier: Apache-2.0
// Chooses the device's queue families for each purpose.
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
    std::optional<QueueFamily> copies = {};  ///< a transfer-only family, which runs beside kernels
    /// Binds memory to sparse buffers: the family for copies or the compute family if one of them can,
    /// because then no further queue is needed.
    std::optional<QueueFamily> sparse = {};
};

/// nullopt if the device has no compute queue.
std::optional<QueueFamilies> queue_families(VkPhysicalDevice physical);

/// The maximum sizes in bytes of an allocation and of a buffer. The latter is larger if memory can be bound
/// to buffers sparsely.
struct SizeLimits {
    uint64_t allocation = 0, buffer = 0;
};
SizeLimits size_limits(VkPhysicalDevice physical, bool has_addresses);

}  // namespace caldera::runtime
