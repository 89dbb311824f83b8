// SPDX-License-Identifier: Apache-2.0
// Samplers: Vulkan's samplers for OpenCL's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <tuple>

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

/// The samplers of a device by their vulkan::SamplerBits, which vulkan_sampler_bits() leaves as they are.
/// Each is made at its first use. Thread-safe.
class Samplers {
 public:
    explicit Samplers(VkDevice device) : device_(device) {}

    /// Lives as long as this object.
    Result<VkSampler> get(uint32_t bits);
    enum class Question : uint8_t {
        Filters,        ///< whether linear filters do as OpenCL wants
        Volumes,        ///< whether they do of 3D images
        Slices,         ///< whether they do of 3D images that are arrays of slices
        Levels,         ///< whether they do of images with levels
        Stores,         ///< whether writes convert texels as the library does
        RoundedStores,  ///< whether they do of floats that the kernel has rounded
    };
    /// What `ask` says of textures of a format. It is called once for each.
    bool answer(Question question, uint32_t channel_order, uint32_t channel_data_type,
                const std::function<bool()>& ask);

 private:
    const VkDevice device_;
    std::mutex mutex_ = {};
    std::map<uint32_t, SamplerHandle> made_ = {};
    std::mutex asking_ = {};
    std::map<std::tuple<Question, uint32_t, uint32_t>, bool> answers_ = {};
};

}  // namespace caldera::runtime
