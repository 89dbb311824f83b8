// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/private_memory.h"

#include <algorithm>

#include "spirv/support/align.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/settings.h"

namespace caldera::runtime {
namespace {

uint64_t work_items_of(const Region& region) {
    uint64_t count = 1;
    for (size_t d = 0; d < 3; ++d) count *= uint64_t{region.local_size[d]} * region.group_count[d];
    return count;
}

/// Limits the work-groups of each dimension so that a region has no more than `groups` of them.
std::array<uint32_t, 3> limit_groups(const NDRange& range, std::array<uint32_t, 3> limit, uint64_t groups) {
    for (size_t d = 0; d < 3; ++d) {
        limit[d] = static_cast<uint32_t>(std::min<uint64_t>(limit[d], groups));
        const uint64_t there = (range.global[d] + range.local[d] - 1) / range.local[d];
        groups = std::max<uint64_t>(groups / std::clamp<uint64_t>(there, 1, limit[d]), 1);
    }
    return limit;
}

}  // namespace

uint64_t default_private_buffer_bytes(Device& device) {
    constexpr uint64_t kMost = uint64_t{4} << 30;
    constexpr const char* kOtherwise = "an eighth of the device's memory";
    if (const uint64_t wanted = bytes_setting("CALDERA_PRIVATE_BUFFER", kOtherwise).value_or(0); wanted != 0)
        return wanted;
    return std::min(device.allocator().device_bytes() / 8, kMost);
}

Result<Done> PrivateMemory::grow(uint64_t size_bytes) {
    if (buffer_ && buffer_->size_bytes() >= size_bytes) return Done{};
    Result<Buffer> buffer = Buffer::create(device_, size_bytes);
    if (!buffer) return buffer.error();
    buffer_ = std::make_shared<const Buffer>(buffer.take());
    return Done{};
}

Result<std::vector<Region>> PrivateMemory::cut(const vulkan::Kernel& kernel, vulkan::Abi abi,
                                               const NDRange& range,
                                               const std::array<uint32_t, 3>& max_group_count,
                                               uint64_t most_dispatches) {
    if (most_bytes_ == 0) most_bytes_ = default_private_buffer_bytes(device_);
    uint64_t most = std::min(most_bytes_, device_.max_buffer_bytes());
    if (abi == vulkan::Abi::Descriptors)
        most = std::min<uint64_t>(most, device_.limits().maxStorageBufferRange);
    const uint64_t block_bytes = kernel.private_bytes * vulkan::kPrivateLanes;
    const uint64_t group_items = range.local[0] * range.local[1] * range.local[2];
    uint64_t groups = most / block_bytes * vulkan::kPrivateLanes / std::max<uint64_t>(group_items, 1);
    for (;; groups /= 2) {
        groups = std::max<uint64_t>(groups, 1);
        const std::array<uint32_t, 3> limit = limit_groups(range, max_group_count, groups);
        if (region_count(range, limit, kernel.ignores_groups) > most_dispatches)
            return Error{.message = "kernel '" + kernel.name + "': its private memory divides the range " +
                                    "into more than " + std::to_string(most_dispatches) +
                                    (most_dispatches == 1 ? " dispatch" : " dispatches")};
        std::vector<Region> regions =
            kernel.ignores_groups ? runtime::cover(range, limit) : runtime::split(range, limit);
        uint64_t work_items = 0;
        for (const Region& region : regions)
            work_items = std::max(work_items, align_up(work_items_of(region), vulkan::kPrivateLanes));
        const uint64_t bytes = work_items * kernel.private_bytes;
        const Result<Done> done = grow(bytes);
        if (done) return regions;
        const bool lacks_memory = done.error().code == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
                                  done.error().code == VK_ERROR_OUT_OF_HOST_MEMORY;
        if (groups == 1 || !lacks_memory) {
            Error error = done.error();
            error.message = "kernel '" + kernel.name + "' needs " + std::to_string(bytes) +
                            " bytes for the private memory of a work-group: " + error.message;
            return error;
        }
    }
}

}  // namespace caldera::runtime
