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

void order(VkCommandBuffer commands, VkImage image, const ImageUse& before, const ImageUse& after,
           VkImageAspectFlags aspect) {
    const VkImageMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                       .srcAccessMask = before.access,
                                       .dstAccessMask = after.access,
                                       .oldLayout = before.layout,
                                       .newLayout = after.layout,
                                       .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .image = image,
                                       .subresourceRange = {aspect, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, before.stages, after.stages, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

Application::Application() {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .apiVersion = kApiVersion};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &application};
    need(vkCreateInstance(&info, nullptr, &instance));
    uint32_t count = 16, families = 16;
    VkPhysicalDevice devices[16];
    need(vkEnumeratePhysicalDevices(instance, &count, devices));
    const char* const wanted = std::getenv("CALDERA_DEVICE");
    for (uint32_t i = 0; i < count && !physical_device; ++i) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (wanted && !names(wanted, i, properties.deviceName)) continue;
        physical_device = devices[i];
        device_name = properties.deviceName;
    }
    if (!physical_device) need(VK_ERROR_INITIALIZATION_FAILED);
    VkQueueFamilyProperties properties[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &families, properties);
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
    need(vkCreateDevice(physical_device, &info, nullptr, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
}

VkDeviceMemory Application::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags properties,
                                     VkMemoryAllocateFlags flags) const {
    VkPhysicalDeviceMemoryProperties memory_types;
    vkGetPhysicalDeviceMemoryProperties(physical_device, &memory_types);
    const auto serves = [&](uint32_t type) {
        const VkMemoryPropertyFlags has = memory_types.memoryTypes[type].propertyFlags;
        return (needs.memoryTypeBits >> type & 1) && (has & properties) == properties;
    };
    uint32_t type = 0;
    while (type < memory_types.memoryTypeCount && !serves(type)) ++type;
    if (type == memory_types.memoryTypeCount) need(VK_ERROR_OUT_OF_DEVICE_MEMORY);
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
    need(vkBindBufferMemory(device, buffer, allocate(needs, 0, flags), 0));
    return buffer;
}

HostBuffer Application::make_host_buffer(uint64_t size_bytes, VkBufferUsageFlags usage) const {
    const VkBufferCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
    HostBuffer made;
    need(vkCreateBuffer(device, &info, nullptr, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    const VkDeviceMemory memory =
        allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, 0);
    need(vkBindBufferMemory(device, made.buffer, memory, 0));
    need(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &made.bytes));
    return made;
}

VkImage Application::make_image(VkExtent3D extent, VkFormat format, VkImageUsageFlags usage) const {
    const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                 .imageType = VK_IMAGE_TYPE_2D,
                                 .format = format,
                                 .extent = extent,
                                 .mipLevels = 1,
                                 .arrayLayers = 1,
                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                 .usage = usage};
    VkImage image = VK_NULL_HANDLE;
    need(vkCreateImage(device, &info, nullptr, &image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, image, &needs);
    need(vkBindImageMemory(device, image, allocate(needs, 0, 0), 0));
    return image;
}

VkImageView Application::make_view(VkImage image, VkFormat format, VkImageAspectFlags aspect) const {
    const VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .image = image,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                     .format = format,
                                     .subresourceRange = {aspect, 0, 1, 0, 1}};
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

void Application::make_visible_to_host(VkCommandBuffer commands) const {
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Application::run(VkCommandBuffer commands) const {
    need(vkEndCommandBuffer(commands));
    const VkSubmitInfo submission{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    need(vkQueueSubmit(queue, 1, &submission, VK_NULL_HANDLE));
    need(vkQueueWaitIdle(queue));
}

}  // namespace example
