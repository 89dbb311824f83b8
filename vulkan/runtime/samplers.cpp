// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/samplers.h"

#include <algorithm>

#include "vulkan/interface.h"

namespace caldera::runtime {
namespace {

VkSamplerAddressMode address_mode(uint32_t bits) {
    switch (bits & vulkan::kSamplerAddressModes) {
        case vulkan::kSamplerClamp: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
        case vulkan::kSamplerRepeat: return VK_SAMPLER_ADDRESS_MODE_REPEAT;
        case vulkan::kSamplerMirroredRepeat: return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
        default: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    }
}

float lod_at(uint32_t steps) { return static_cast<float>(steps) / int{kSamplerLodUnit}; }

/// The border is zero in each channel that a format has. An image view fills in the others.
VkSamplerCreateInfo sampler_info(uint32_t bits) {
    const VkSamplerAddressMode mode = address_mode(bits);
    const VkFilter filter = bits & vulkan::kSamplerLinear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    const bool is_normalized = (bits & vulkan::kSamplerNormalized) != 0;  // else Vulkan wants one level
    const uint32_t cut = bits >> kSamplerLodCutShift & kSamplerLodMask, most = kSamplerLodMask - cut;
    const uint32_t least = std::min(bits >> kSamplerLeastLodShift & kSamplerLodMask, most);
    return {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
            .magFilter = filter,
            .minFilter = filter,
            .mipmapMode = is_normalized && (bits & vulkan::kSamplerLinearLevels)
                              ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                              : VK_SAMPLER_MIPMAP_MODE_NEAREST,
            .addressModeU = mode,
            .addressModeV = mode,
            .addressModeW = mode,
            .minLod = is_normalized ? lod_at(least) : 0,
            .maxLod = !is_normalized ? 0
                      : cut == 0     ? VK_LOD_CLAMP_NONE
                                     : lod_at(most),
            .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
            .unnormalizedCoordinates = !is_normalized};
}

}  // namespace

Result<VkSampler> Samplers::get(uint32_t bits) {
    const std::lock_guard lock(mutex_);
    SamplerHandle& sampler = made_[bits];
    if (sampler) return sampler.get();
    if (const VkResult result = sampler.make(device_, vkCreateSampler, sampler_info(bits));
        result != VK_SUCCESS)
        return vulkan_error("vkCreateSampler", result);
    return sampler.get();
}

bool Samplers::answer(Question question, uint32_t channel_order, uint32_t channel_data_type,
                      const std::function<bool()>& ask) {
    const std::lock_guard lock(asking_);
    const std::tuple about(question, channel_order, channel_data_type);
    if (const auto known = answers_.find(about); known != answers_.end()) return known->second;
    return answers_[about] = ask();
}

}  // namespace caldera::runtime
