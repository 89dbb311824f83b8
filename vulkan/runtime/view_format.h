// SPDX-License-Identifier: Apache-2.0
// What kernels see of a view's format.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace caldera::runtime {

struct ViewFormat {
    /// OpenCL's numbers (API 5.3.1.1), for get_image_channel_order() and get_image_channel_data_type(); 0
    /// where OpenCL has no such format.
    uint32_t channel_order = 0, channel_data_type = 0;
    /// One of vulkan::TexelNumbers, or those of depth and of stencil; 0 where no kernel takes the format.
    uint8_t texel_numbers = 0;
};
ViewFormat view_format(VkFormat format);
/// Whether a view of a format with these numbers may be an argument with those
/// (KernelArgument::texel_numbers). An argument without any is not accessed, so that each view may be it.
/// With open signs (KernelArgument::has_open_signs), unsigned integers may be signed ones.
bool gives_numbers(uint8_t of_format, uint8_t of_argument, bool has_open_signs);

/// The format that a module fixes for a storage image (vulkan::KernelArgument::image_format).
std::optional<VkFormat> storage_format_named(std::string_view name);

}  // namespace caldera::runtime
