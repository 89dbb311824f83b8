// SPDX-License-Identifier: Apache-2.0
// What buffers are used for.
#pragma once

#include <vulkan/vulkan.h>

namespace caldera::runtime {

inline VkBufferUsageFlags buffer_usage(bool has_addresses) {
    return VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
           (has_addresses ? VkBufferUsageFlags{VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT} : 0);
}

}  // namespace caldera::runtime
