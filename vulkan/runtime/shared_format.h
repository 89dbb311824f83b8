// SPDX-License-Identifier: Apache-2.0
// SharedFormat: how programs make images of Vulkan that they share.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>

namespace caldera::runtime {

/// What Vulkan must be told of an image to share. Both sides say the same, or they take the same bytes for
/// other texels (VkImageCreateInfo; Vulkan, "External Memory Handle Types").
struct SharedFormat {
    VkFormat format = VK_FORMAT_UNDEFINED;
    /// Sampled, the source and target of copies, and storage where the device can write the format.
    VkImageUsageFlags usage = 0;
    bool is_dedicated = false;  ///< the device shares the memory of one image alone
    VkImageFormatProperties most = {};
};

/// None where the device does not import such images: by this type of handle, of this shape and of OpenCL's
/// format, whose numbers are cl_channel_order and cl_channel_type.
std::optional<SharedFormat> shared_format(VkPhysicalDevice physical, uint32_t channel_order,
                                          uint32_t channel_data_type, VkImageViewType view,
                                          VkExternalMemoryHandleTypeFlagBits type);

}  // namespace caldera::runtime
