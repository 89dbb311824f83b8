// SPDX-License-Identifier: Apache-2.0
#include "support/application.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace example {
namespace {

constexpr VkImageSubresourceRange kWhole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

/// Whether CALDERA_DEVICE is the device's index or a part of its name.
bool names(const std::string& wanted, uint32_t index, std::string_view name) {
    const auto is_same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return wanted == std::to_string(index) || !std::ranges::search(name, wanted, is_same).empty();
}

}  // namespace

void need(VkResult result) {
    if (result == VK_SUCCESS) return;
    std::fprintf(stderr, "error: Vulkan says %d\n", result);
    std::exit(1);
}

Application::Application() {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .apiVersion = physical.api_version};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &application};
    need(vkCreateInstance(&info, nullptr, &physical.instance));
    uint32_t count = 16, families = 16;
    VkPhysicalDevice devices[16];
    need(vkEnumeratePhysicalDevices(physical.instance, &count, devices));
    const char* const wanted = std::getenv("CALDERA_DEVICE");
    for (uint32_t i = 0; i < count && !physical.physical_device; ++i) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (!wanted || names(wanted, i, properties.deviceName)) physical.physical_device = devices[i];
    }
    if (!physical.physical_device) need(VK_ERROR_INITIALIZATION_FAILED);
    VkQueueFamilyProperties properties[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical.physical_device, &families, properties);
    constexpr VkQueueFlags kBoth = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    while (family + 1 < families && (properties[family].queueFlags & kBoth) != kBoth) ++family;
}

void Application::make_device(const VkPhysicalDeviceFeatures2& features,
                              const std::vector<const char*>& extensions) {
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = family,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queues,
                                  .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                  .ppEnabledExtensionNames = extensions.data()};
    need(vkCreateDevice(physical.physical_device, &info, nullptr, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
}

VkDeviceMemory Application::allocate(const VkMemoryRequirements& needs, VkMemoryAllocateFlags flags) const {
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1)) ++type;
    const VkMemoryAllocateFlagsInfo with{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                         .flags = flags};
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = &with,
                                    .allocationSize = needs.size,
                                    .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    need(vkAllocateMemory(device, &info, nullptr, &memory));
    return memory;
}

VkBuffer Application::make_buffer(uint64_t size_bytes, VkBufferUsageFlags usage) const {
    const VkBufferCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
    VkBuffer buffer = VK_NULL_HANDLE;
    need(vkCreateBuffer(device, &info, nullptr, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    const bool has_address = usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkMemoryAllocateFlags flags = has_address ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0;
    need(vkBindBufferMemory(device, buffer, allocate(needs, flags), 0));
    return buffer;
}

VkImage Application::make_image(VkExtent3D extent, VkFormat format) const {
    const VkImageCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = extent,
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    VkImage image = VK_NULL_HANDLE;
    need(vkCreateImage(device, &info, nullptr, &image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, image, &needs);
    need(vkBindImageMemory(device, image, allocate(needs, 0), 0));
    return image;
}

VkImageView Application::make_view(VkImage image, VkFormat format) const {
    const VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .image = image,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                     .format = format,
                                     .subresourceRange = kWhole};
    VkImageView view = VK_NULL_HANDLE;
    need(vkCreateImageView(device, &info, nullptr, &view));
    return view;
}

VkCommandBuffer Application::begin() const {
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = family};
    VkCommandPool pool = VK_NULL_HANDLE;
    need(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool,
                                           .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    need(vkAllocateCommandBuffers(device, &info, &commands));
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    need(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

void Application::run(VkCommandBuffer commands) const {
    need(vkEndCommandBuffer(commands));
    const VkSubmitInfo submission{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    need(vkQueueSubmit(queue, 1, &submission, VK_NULL_HANDLE));
    need(vkQueueWaitIdle(queue));
}

}  // namespace example
