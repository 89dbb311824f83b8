// SPDX-License-Identifier: Apache-2.0
// What an application with its own Vulkan has before it knows of Caldera. Failures end the program.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <vector>

#include "caldera/caldera.h"

namespace example {

/// Ends the program if Vulkan failed.
void need(VkResult result);

/// An instance of Vulkan 1.3, a device with one queue for graphics and compute, and what is made of it. The
/// handles live as long as the process.
struct Application {
    /// On the first device, or that of which CALDERA_DEVICE has a part of the name.
    Application();
    /// Makes the device with these features and extensions.
    void make_device(const VkPhysicalDeviceFeatures2& features, const std::vector<const char*>& extensions);

    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryAllocateFlags flags) const;
    VkBuffer make_buffer(uint64_t size_bytes, VkBufferUsageFlags usage) const;
    /// One that colours are drawn to, and copied from.
    VkImage make_image(VkExtent3D extent, VkFormat format) const;
    VkImageView make_view(VkImage image, VkFormat format) const;
    /// A command buffer that is being recorded.
    VkCommandBuffer begin() const;
    /// Submits it, and waits for its end.
    void run(VkCommandBuffer commands) const;

    caldera::PhysicalDevice physical = {.api_version = VK_API_VERSION_1_3};
    uint32_t family = 0;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
};

}  // namespace example
