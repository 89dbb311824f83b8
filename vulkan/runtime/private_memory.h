// SPDX-License-Identifier: Apache-2.0
// PrivateMemory: the buffer for private memory that is too large for the driver's variables
// (vulkan::Kernel::private_bytes).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/ndrange.h"

namespace caldera::runtime {

/// Serves the dispatches of a queue one after another. Vulkan does not say how many work-items are active, so
/// each work-item of a dispatch has a place of its own. An NDRange for which the buffer may not become large
/// enough is cut into several dispatches.
class PrivateMemory {
 public:
    /// `most_bytes`: the buffer grows to no more, unless one work-group needs more. 0: as
    /// default_private_buffer_bytes() says.
    PrivateMemory(Device& device, uint64_t most_bytes) : device_(device), most_bytes_(most_bytes) {}

    /// Cuts the range into dispatches and makes the buffer large enough for each. If the device has no memory
    /// for that, the dispatches become smaller, down to one work-group. More than `most_dispatches` are an
    /// error.
    Result<std::vector<Region>> cut(const vulkan::Kernel& kernel, vulkan::Abi abi, const NDRange& range,
                                    const std::array<uint32_t, 3>& max_group_count,
                                    uint64_t most_dispatches = kMostRegions);
    /// Null before the first kernel that needs it. A larger buffer takes its place when a kernel needs more,
    /// so whoever records a dispatch keeps it.
    const std::shared_ptr<const Buffer>& buffer() const { return buffer_; }

 private:
    Result<Done> grow(uint64_t size_bytes);

    Device& device_;
    uint64_t most_bytes_;
    std::shared_ptr<const Buffer> buffer_ = {};
};

/// $CALDERA_PRIVATE_BUFFER (a number of bytes, optionally with the suffix K, M or G), or an eighth of the
/// device's memory, at most 4 GiB.
uint64_t default_private_buffer_bytes(Device& device);

}  // namespace caldera::runtime
