// SPDX-License-Identifier: Apache-2.0
// RaceShadows: the memory in which kernels note accesses, to find data races (MemoryChecks::Races,
// vulkan/race_words.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"

namespace caldera::runtime {

/// What one launch has of it: what CheckState says, and the memory, which must be zeros before the launch.
struct LaunchShadows {
    std::shared_ptr<const Buffer> buffer = {};  ///< null: there was no memory, and nothing is looked at
    uint64_t used_bytes = 0;                    ///< a multiple of 4
    std::vector<uint64_t> of_objects = {};      ///< an address for each object, or 0
    uint64_t local = 0;
    uint32_t local_count = 0, local_bytes = 0;
};

/// For the launches of one owner, one after another.
class RaceShadows {
 public:
    explicit RaceShadows(Device& device) : device_(device) {}

    /// Shadows for the objects that contain one of the addresses, small ones first, as far as there is
    /// memory, and for the local memory of groups. The first `distinct` objects are in the order of
    /// addresses, and those behind them lie in them: the same bytes have the same shadow.
    LaunchShadows prepare(std::span<const vulkan::CheckObject> objects, size_t distinct,
                          std::span<const uint64_t> addresses, uint64_t local_bytes, uint64_t groups);

 private:
    uint64_t grow(uint64_t wanted_bytes);

    Device& device_;
    std::shared_ptr<const Buffer> buffer_ = {};
};

}  // namespace caldera::runtime
