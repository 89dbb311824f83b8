// SPDX-License-Identifier: Apache-2.0
// Samplers: Vulkan's samplers for OpenCL's.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

/// The samplers of a device by their vulkan::SamplerBits, each made at its first use. Thread-safe.
class Samplers {
 public:
    explicit Samplers(VkDevice device) : device_(device) {}

    /// Lives as long as this object.
    Result<VkSampler> get(uint32_t bits);

 private:
    const VkDevice device_;
    std::mutex mutex_ = {};
    std::map<uint32_t, SamplerHandle> made_ = {};
};

}  // namespace caldera::runtime
