// SPDX-License-Identifier: Apache-2.0
// Parts of buffers: what kernels see of a buffer that is larger than a descriptor may say
// (vulkan::SplitBuffers).
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace caldera::runtime {

/// The lesser of two limits of storage buffers in a pipeline.
inline uint32_t max_storage_buffers(const VkPhysicalDeviceLimits& limits) {
    return std::min(limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers);
}

/// vulkan::SplitBuffers::part_bits: a part is the largest power of two that a descriptor may say.
inline uint32_t part_bits(const VkPhysicalDeviceLimits& limits) {
    return static_cast<uint32_t>(std::bit_width(limits.maxStorageBufferRange)) - 1;
}

/// The largest buffer that a kernel can reach by descriptors. Offsets have 32 bits. A quarter of a kernel's
/// descriptors are for one buffer, so that kernels can have several such buffers, at most 32 because each
/// access branches over them.
inline uint64_t largest_split_buffer(const VkPhysicalDeviceLimits& limits) {
    const uint32_t parts = std::bit_floor(std::clamp(max_storage_buffers(limits) / 4, 1u, 32u));
    const uint64_t whole = limits.maxStorageBufferRange & ~3u;
    return std::max(whole, std::min<uint64_t>(uint64_t{parts} << part_bits(limits), 0xfffffffc));
}

/// Whether a device whose buffers have at most so many bytes has buffers in parts.
inline bool has_split_buffers(const VkPhysicalDeviceLimits& limits, uint64_t max_buffer_bytes) {
    return std::min(max_buffer_bytes, largest_split_buffer(limits)) > limits.maxStorageBufferRange;
}

}  // namespace caldera::runtime
