// SPDX-License-Identifier: Apache-2.0
// Descriptor pools that have what they were made with, as those of cards do. Pools of lavapipe have no end,
// which Vulkan allows.
#pragma once

#include <vulkan/vulkan.h>

#include <string_view>

namespace caldera::features {

/// Finds the functions of the next layer.
void count_descriptors(VkDevice device, PFN_vkGetDeviceProcAddr get);
/// A function that counts what pools have and sets need, or null. It is for the devices named before.
PFN_vkVoidFunction counting_function(std::string_view name);

}  // namespace caldera::features
