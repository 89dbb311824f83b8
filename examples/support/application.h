// SPDX-License-Identifier: Apache-2.0
// What an application with its own Vulkan has. It knows nothing of Caldera. Failures end the program.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <string>
#include <vector>

namespace example {

/// Ends the program if Vulkan failed.
void need(VkResult result);

/// A buffer whose bytes the host sees, coherently.
struct HostBuffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    void* bytes = nullptr;
};

/// How commands use an image.
struct ImageUse {
    VkPipelineStageFlags stages = 0;
    VkAccessFlags access = 0;
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
};
/// A barrier between two uses of an image with one level and one layer.
void order(VkCommandBuffer commands, VkImage image, const ImageUse& before, const ImageUse& after,
           VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT);

/// An instance of Vulkan 1.3, a device with one queue for graphics and compute, and what is made of it. The
/// handles live as long as the process.
struct Application {
    /// On the first device, or that of which CALDERA_DEVICE has a part of the name.
    Application();
    /// Makes the device with these features and extensions.
    void make_device(const VkPhysicalDeviceFeatures2& features, const std::vector<const char*>& extensions);

    /// Memory with these properties.
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags properties,
                            VkMemoryAllocateFlags flags) const;
    VkBuffer make_buffer(uint64_t size_bytes, VkBufferUsageFlags usage) const;
    HostBuffer make_host_buffer(uint64_t size_bytes, VkBufferUsageFlags usage) const;
    /// With two dimensions, one level and one layer.
    VkImage make_image(VkExtent3D extent, VkFormat format, VkImageUsageFlags usage) const;
    VkImageView make_view(VkImage image, VkFormat format,
                          VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) const;
    /// A command buffer that is being recorded.
    VkCommandBuffer begin() const;
    /// Lets the host see what shaders and copies have written, when the commands have ended.
    void make_visible_to_host(VkCommandBuffer commands) const;
    /// Submits it, and waits for its end.
    void run(VkCommandBuffer commands) const;

    static constexpr uint32_t kApiVersion = VK_API_VERSION_1_3;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    std::string device_name = {};
    uint32_t family = 0;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
};

}  // namespace example
