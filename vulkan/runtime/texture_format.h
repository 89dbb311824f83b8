// SPDX-License-Identifier: Apache-2.0
// OpenCL's image formats as Vulkan's.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>

namespace caldera::runtime {

/// How an image view shows texels whose bytes are those of an OpenCL format.
struct TextureFormat {
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkComponentMapping components = {};  ///< for reading
    uint32_t texel_bytes = 0;
    uint32_t channel_bytes = 0;
    bool has_signs = false;  ///< numbers may be negative, and fractions: floats, signed normalised integers
    uint8_t texel_numbers = 0;  ///< one of vulkan::TexelNumbers
    bool is_in_order = false;   ///< `components` change nothing, so that kernels can write too
};

/// None where Vulkan has no such format, or one whose texels are other bytes. The numbers are OpenCL's
/// (cl_channel_order, cl_channel_type; OpenCL API 5.3.1.1).
std::optional<TextureFormat> texture_format(uint32_t channel_order, uint32_t channel_data_type);

/// The type of the image that such a view shows.
VkImageType image_type(VkImageViewType view);

}  // namespace caldera::runtime
