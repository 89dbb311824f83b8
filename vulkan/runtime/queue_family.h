// SPDX-License-Identifier: Apache-2.0
// Chooses the device's queue families for each purpose.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>
#include <vector>

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
    std::vector<uint32_t> recording = {};  ///< those of an application's command buffers, by index

    /// The indices of all families whose commands access buffers, each once.
    std::vector<uint32_t> users() const;
};

/// By index.
std::vector<VkQueueFamilyProperties> all_queue_families(VkPhysicalDevice physical);
/// nullopt if the device has no compute queue.
std::optional<QueueFamilies> queue_families(VkPhysicalDevice physical);

/// The maximum sizes in bytes of an allocation and of a buffer. The latter is larger if memory can be bound
/// to buffers sparsely.
struct SizeLimits {
    uint64_t allocation = 0, buffer = 0;
};
/// `has_sparse`: memory can be bound so.
SizeLimits size_limits(VkPhysicalDevice physical, uint32_t api_version, bool has_addresses, bool has_sparse);

}  // namespace caldera::runtime
