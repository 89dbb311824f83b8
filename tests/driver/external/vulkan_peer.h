// SPDX-License-Identifier: Apache-2.0
// A Vulkan program in the process of the test: it shares memory and semaphores with OpenCL by file
// descriptors.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "tests/driver/queries.h"
#include "vulkan/icd/extension_names.h"

namespace caldera::driver_test {

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

inline void check(VkResult result) { REQUIRE(result == VK_SUCCESS); }

inline bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

/// A device of its own, of the physical device that the OpenCL device is.
class VulkanPeer {
 public:
    /// A buffer of Vulkan, whose memory can be exported.
    struct Shared {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceMemory memory = VK_NULL_HANDLE;
    };

    /// An image of Vulkan with optimal tiling, whose memory can be exported.
    struct SharedImage {
        VkImage image = VK_NULL_HANDLE;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        VkExtent3D extent = {1, 1, 1};
        uint32_t layers = 1;
    };

    explicit VulkanPeer(cl_device_id device) {
        const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .apiVersion = VK_API_VERSION_1_1};
        const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                        .pApplicationInfo = &application};
        check(vkCreateInstance(&info, nullptr, &instance_));
        uint32_t count = 0;
        check(vkEnumeratePhysicalDevices(instance_, &count, nullptr));
        std::vector<VkPhysicalDevice> all(count);
        check(vkEnumeratePhysicalDevices(instance_, &count, all.data()));
        const auto wanted = info_of(device);
        for (VkPhysicalDevice each : all)
            if (!physical_ && ids(each) == wanted) physical_ = each;
        REQUIRE_MESSAGE(physical_ != VK_NULL_HANDLE,
                        "no device of Vulkan has the UUIDs of the OpenCL device");
        make_device();
    }
    VulkanPeer(const VulkanPeer&) = delete;
    VulkanPeer& operator=(const VulkanPeer&) = delete;
    ~VulkanPeer() {
        vkDeviceWaitIdle(device_);
        for (const Shared& each : buffers_) {
            vkDestroyBuffer(device_, each.buffer, nullptr);
            vkFreeMemory(device_, each.memory, nullptr);
        }
        for (const SharedImage& each : images_) {
            vkDestroyImage(device_, each.image, nullptr);
            vkFreeMemory(device_, each.memory, nullptr);
        }
        for (VkSemaphore each : semaphores_) vkDestroySemaphore(device_, each, nullptr);
        vkDestroyCommandPool(device_, pool_, nullptr);
        vkDestroyDevice(device_, nullptr);
        vkDestroyInstance(instance_, nullptr);
    }

    // ---- Memory ----

    bool exports(VkExternalMemoryHandleTypeFlagBits type) const {
        const VkPhysicalDeviceExternalBufferInfo info{
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
            .usage = kUsage,
            .handleType = type};
        VkExternalBufferProperties found{.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
        vkGetPhysicalDeviceExternalBufferProperties(physical_, &info, &found);
        return found.externalMemoryProperties.externalMemoryFeatures &
               VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
    }
    /// `type` 0: one that only this program sees, and the host.
    Shared make_buffer(VkDeviceSize size, VkFlags type) {
        const VkExternalMemoryBufferCreateInfo external{
            .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
        const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .pNext = type ? &external : nullptr,
                                      .size = size,
                                      .usage = kUsage};
        Shared made;
        check(vkCreateBuffer(device_, &info, nullptr, &made.buffer));
        VkMemoryRequirements needed;
        vkGetBufferMemoryRequirements(device_, made.buffer, &needed);
        const VkExportMemoryAllocateInfo exported{.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                                  .handleTypes = type};
        const VkMemoryAllocateInfo allocate{
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .pNext = type ? &exported : nullptr,
            .allocationSize = needed.size,
            .memoryTypeIndex =
                memory_type(needed.memoryTypeBits,
                            type ? VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT} : kHostMemory)};
        check(vkAllocateMemory(device_, &allocate, nullptr, &made.memory));
        check(vkBindBufferMemory(device_, made.buffer, made.memory, 0));
        buffers_.push_back(made);
        return made;
    }
    template <class BufferOrImage>
    int descriptor(const BufferOrImage& shared, VkExternalMemoryHandleTypeFlagBits type) const {
        const VkMemoryGetFdInfoKHR info{
            .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = shared.memory, .handleType = type};
        int descriptor = -1;
        check(function<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(device_, &info, &descriptor));
        return descriptor;
    }
    void write(const Shared& to, const std::vector<cl_uint>& words) {
        const Shared staging = make_buffer(words.size() * 4, 0);
        std::memcpy(map(staging), words.data(), words.size() * 4);
        copy(staging, to, words.size() * 4);
    }
    std::vector<cl_uint> read(const Shared& from, size_t count) {
        const Shared staging = make_buffer(count * 4, 0);
        copy(from, staging, count * 4);
        std::vector<cl_uint> words(count);
        std::memcpy(words.data(), map(staging), count * 4);
        return words;
    }

    // ---- Images ----

    /// Without storage where the device cannot write the format.
    VkImageUsageFlags image_usage(VkFormat format) const {
        VkFormatProperties features;
        vkGetPhysicalDeviceFormatProperties(physical_, format, &features);
        const bool is_written = features.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
        return VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT | (is_written ? VK_IMAGE_USAGE_STORAGE_BIT : 0);
    }
    /// What can be done with the memory of such images; 0: there are none.
    VkExternalMemoryFeatureFlags image_sharing(VkFormat format, VkImageType shape,
                                               VkExternalMemoryHandleTypeFlagBits type) const {
        const VkPhysicalDeviceExternalImageFormatInfo external{
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO, .handleType = type};
        const VkPhysicalDeviceImageFormatInfo2 info{
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
            .pNext = &external,
            .format = format,
            .type = shape,
            .tiling = VK_IMAGE_TILING_OPTIMAL,
            .usage = image_usage(format)};
        VkExternalImageFormatProperties found{.sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
        VkImageFormatProperties2 most{.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &found};
        if (vkGetPhysicalDeviceImageFormatProperties2(physical_, &info, &most) != VK_SUCCESS) return 0;
        return found.externalMemoryProperties.externalMemoryFeatures;
    }
    bool exports_images(VkFormat format, VkImageType shape, VkExternalMemoryHandleTypeFlagBits type) const {
        return image_sharing(format, shape, type) & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
    }
    SharedImage make_image(VkFormat format, VkImageType shape, VkExtent3D extent, uint32_t layers,
                           VkExternalMemoryHandleTypeFlagBits type) {
        const VkExternalMemoryImageCreateInfo external{
            .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
            .handleTypes = static_cast<VkFlags>(type)};
        const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                     .pNext = &external,
                                     .imageType = shape,
                                     .format = format,
                                     .extent = extent,
                                     .mipLevels = 1,
                                     .arrayLayers = layers,
                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                     .tiling = VK_IMAGE_TILING_OPTIMAL,
                                     .usage = image_usage(format)};
        SharedImage made{.extent = extent, .layers = layers};
        check(vkCreateImage(device_, &info, nullptr, &made.image));
        VkMemoryDedicatedRequirements alone{.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
        VkMemoryRequirements2 needed{.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, .pNext = &alone};
        const VkImageMemoryRequirementsInfo2 asked{
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, .image = made.image};
        vkGetImageMemoryRequirements2(device_, &asked, &needed);
        const VkMemoryDedicatedAllocateInfo dedicated{
            .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = made.image};
        const bool is_dedicated =
            alone.requiresDedicatedAllocation ||
            (image_sharing(format, shape, type) & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT);
        const VkExportMemoryAllocateInfo exported{.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                                  .pNext = is_dedicated ? &dedicated : nullptr,
                                                  .handleTypes = static_cast<VkFlags>(type)};
        const VkMemoryAllocateInfo allocate{
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .pNext = &exported,
            .allocationSize = needed.memoryRequirements.size,
            .memoryTypeIndex =
                memory_type(needed.memoryRequirements.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
        check(vkAllocateMemory(device_, &allocate, nullptr, &made.memory));
        check(vkBindImageMemory(device_, made.image, made.memory, 0));
        images_.push_back(made);
        return made;
    }
    /// Texels without gaps, which others may see then.
    void write(const SharedImage& to, const std::vector<cl_uchar>& texels) {
        const Shared staging = make_buffer(texels.size(), 0);
        std::memcpy(map(staging), texels.data(), texels.size());
        submit(
            [&](VkCommandBuffer commands) {
                change_owner(commands, to, VK_IMAGE_LAYOUT_UNDEFINED, 0, 0);
                const VkBufferImageCopy all = all_of(to);
                vkCmdCopyBufferToImage(commands, staging.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
                change_owner(commands, to, VK_IMAGE_LAYOUT_GENERAL, 0, VK_QUEUE_FAMILY_EXTERNAL);
            },
            VK_NULL_HANDLE, VK_NULL_HANDLE);
        finish();
    }
    /// What others have given back.
    std::vector<cl_uchar> read(const SharedImage& from, size_t size) {
        const Shared staging = make_buffer(size, 0);
        submit(
            [&](VkCommandBuffer commands) {
                change_owner(commands, from, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_EXTERNAL, 0);
                const VkBufferImageCopy all = all_of(from);
                vkCmdCopyImageToBuffer(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, staging.buffer, 1,
                                       &all);
            },
            VK_NULL_HANDLE, VK_NULL_HANDLE);
        finish();
        std::vector<cl_uchar> texels(size);
        std::memcpy(texels.data(), map(staging), size);
        return texels;
    }

    // ---- Semaphores ----

    VkSemaphore make_semaphore(VkFlags exported) {
        const VkExportSemaphoreCreateInfo types{.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                                .handleTypes = exported};
        const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                         .pNext = exported ? &types : nullptr};
        semaphores_.push_back(VK_NULL_HANDLE);
        check(vkCreateSemaphore(device_, &info, nullptr, &semaphores_.back()));
        return semaphores_.back();
    }
    int descriptor(VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type) const {
        const VkSemaphoreGetFdInfoKHR info{
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = semaphore, .handleType = type};
        int descriptor = -2;
        check(function<PFN_vkGetSemaphoreFdKHR>("vkGetSemaphoreFdKHR")(device_, &info, &descriptor));
        return descriptor;
    }
    void import(VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type, int descriptor) const {
        const VkImportSemaphoreFdInfoKHR info{.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                              .semaphore = semaphore,
                                              .flags = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT
                                                           ? VkFlags{VK_SEMAPHORE_IMPORT_TEMPORARY_BIT}
                                                           : 0,
                                              .handleType = type,
                                              .fd = descriptor};
        check(function<PFN_vkImportSemaphoreFdKHR>("vkImportSemaphoreFdKHR")(device_, &info));
    }

    // ---- Commands ----

    /// Fills a buffer with a word, between a semaphore that it waits for and one that it signals.
    void fill(const Shared& buffer, cl_uint word, VkSemaphore wait, VkSemaphore signal) {
        submit(
            [&](VkCommandBuffer commands) {
                vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, word);
            },
            wait, signal);
    }
    void finish() const { check(vkQueueWaitIdle(queue_)); }

 private:
    static constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    static constexpr VkMemoryPropertyFlags kHostMemory =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

    static std::pair<Uuid, Uuid> info_of(cl_device_id device) {
        return {info<Uuid>(clGetDeviceInfo, device, CL_DEVICE_UUID_KHR),
                info<Uuid>(clGetDeviceInfo, device, CL_DRIVER_UUID_KHR)};
    }
    static std::pair<Uuid, Uuid> ids(VkPhysicalDevice physical) {
        VkPhysicalDeviceIDProperties ids{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                               .pNext = &ids};
        vkGetPhysicalDeviceProperties2(physical, &properties);
        return {std::to_array(ids.deviceUUID), std::to_array(ids.driverUUID)};
    }
    void make_device() {
        uint32_t count = 0;
        vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, nullptr);
        std::vector<VkExtensionProperties> there(count);
        vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, there.data());
        std::vector<const char*> extensions;
        for (const char* name :
             {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
              VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME})
            if (std::ranges::any_of(there,
                                    [&](const auto& each) { return !std::strcmp(each.extensionName, name); }))
                extensions.push_back(name);
        const float priority = 1;
        const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
        const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue,
                                      .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                      .ppEnabledExtensionNames = extensions.data()};
        check(vkCreateDevice(physical_, &info, nullptr, &device_));
        vkGetDeviceQueue(device_, 0, 0, &queue_);
        const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        check(vkCreateCommandPool(device_, &pool, nullptr, &pool_));
    }
    template <class Function>
    Function function(const char* name) const {
        const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device_, name);
        REQUIRE_MESSAGE(bool(found), name);
        return reinterpret_cast<Function>(found);
    }
    uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted) const {
        VkPhysicalDeviceMemoryProperties properties;
        vkGetPhysicalDeviceMemoryProperties(physical_, &properties);
        for (uint32_t type = 0; type < properties.memoryTypeCount; ++type)
            if (allowed >> type & 1 && (properties.memoryTypes[type].propertyFlags & wanted) == wanted)
                return type;
        REQUIRE_MESSAGE(false, "there is no memory of this kind");
        return 0;
    }
    void* map(const Shared& buffer) const {
        void* mapped = nullptr;
        check(vkMapMemory(device_, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
        return mapped;
    }
    static VkBufferImageCopy all_of(const SharedImage& image) {
        return {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, image.layers},
                .imageExtent = image.extent};
    }
    /// The layout is VK_IMAGE_LAYOUT_GENERAL then. The queue's own family is 0.
    static void change_owner(VkCommandBuffer commands, const SharedImage& image, VkImageLayout layout,
                             uint32_t from, uint32_t to) {
        constexpr VkAccessFlags kAll = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
        const VkImageMemoryBarrier barrier{
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .srcAccessMask = from == 0 ? kAll : 0,
            .dstAccessMask = to == 0 ? kAll : 0,
            .oldLayout = layout,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = from,
            .dstQueueFamilyIndex = to,
            .image = image.image,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, image.layers}};
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             0, 0, nullptr, 0, nullptr, 1, &barrier);
    }
    void copy(const Shared& from, const Shared& to, VkDeviceSize size) {
        submit(
            [&](VkCommandBuffer commands) {
                const VkBufferCopy region{.size = size};
                vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
            },
            VK_NULL_HANDLE, VK_NULL_HANDLE);
        finish();
    }
    template <class Record>
    void submit(Record&& record, VkSemaphore wait, VkSemaphore signal) {
        const VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                   .commandPool = pool_,
                                                   .commandBufferCount = 1};
        VkCommandBuffer commands = VK_NULL_HANDLE;
        check(vkAllocateCommandBuffers(device_, &allocate, &commands));
        const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        check(vkBeginCommandBuffer(commands, &begin));
        barrier(commands, 0, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        record(commands);
        barrier(commands, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT);
        check(vkEndCommandBuffer(commands));
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .waitSemaphoreCount = wait ? 1u : 0,
                                .pWaitSemaphores = &wait,
                                .pWaitDstStageMask = &stage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &commands,
                                .signalSemaphoreCount = signal ? 1u : 0,
                                .pSignalSemaphores = &signal};
        check(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE));
    }
    static void barrier(VkCommandBuffer commands, VkAccessFlags from, VkAccessFlags to) {
        const VkMemoryBarrier all{
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0,
                             nullptr, 0, nullptr);
    }

    VkInstance instance_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::vector<Shared> buffers_ = {};
    std::vector<SharedImage> images_ = {};
    std::vector<VkSemaphore> semaphores_ = {};
};

}  // namespace caldera::driver_test
