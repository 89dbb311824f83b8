// SPDX-License-Identifier: Apache-2.0
// An application with its own Vulkan, under the validation layer where there is one.
#pragma once

#include <doctest/doctest.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "caldera/caldera.h"
#include "tests/support/choose_device.h"
#include "tests/support/why.h"

namespace caldera {

template <class T>
T must(Result<T> result) {
    REQUIRE_MESSAGE(result, why(result));
    return result.take();
}

/// Whether a call failed with a sentence that has this text.
template <class T>
bool fails_with(const Result<T>& result, const std::string& text) {
    if (result) return false;
    INFO(result.error().message);
    const bool is_it = result.error().message.find(text) != std::string::npos;
    CHECK(is_it);
    return is_it;
}

/// An instance, and its device that CALDERA_DEVICE names, else the first.
class Application {
 public:
    explicit Application(uint32_t api_version = VK_API_VERSION_1_3) : version_(api_version) {
        make_instance();
        choose();
    }
    ~Application() {
        if (pool_) vkDestroyCommandPool(device_, pool_, nullptr);
        if (device_) vkDestroyDevice(device_, nullptr);
        if (messenger_) {
            const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
                vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
            destroy(instance_, messenger_, nullptr);
        }
        vkDestroyInstance(instance_, nullptr);
        CHECK(messages_ == 0);
    }
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    /// What the validation layer said since the last call; nullopt without the layer. What is left at the
    /// end is a failure.
    std::optional<uint32_t> take_messages() {
        return messenger_ ? std::optional(messages_.exchange(0)) : std::nullopt;
    }
    /// The lesser version of the instance and the device.
    uint32_t version() const {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(physical_, &properties);
        return std::min(version_, properties.apiVersion);
    }

    PhysicalDevice physical() const {
        return {.instance = instance_, .physical_device = physical_, .api_version = version_};
    }
    VkDevice device() const { return device_; }
    VkQueue queue() const { return queue_; }

    /// Whether the queue takes draws too.
    bool draws() const {
        uint32_t count = 0;
        vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
        return families[family_].queueFlags & VK_QUEUE_GRAPHICS_BIT;
    }
    /// Makes the device with these features alone.
    void make_device(RequiredFeatures features) {
        const float priority = 1;
        const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueFamilyIndex = family_,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
        const VkDeviceCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .pNext = features.chain(),
            .queueCreateInfoCount = 1,
            .pQueueCreateInfos = &queue,
            .enabledExtensionCount = static_cast<uint32_t>(features.extensions().size()),
            .ppEnabledExtensionNames = features.extensions().data()};
        REQUIRE(vkCreateDevice(physical_, &info, nullptr, &device_) == VK_SUCCESS);
        vkGetDeviceQueue(device_, family_, 0, &queue_);
        features_ = features;
        const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .queueFamilyIndex = family_};
        REQUIRE(vkCreateCommandPool(device_, &pool, nullptr, &pool_) == VK_SUCCESS);
    }
    AdoptOptions options() {
        AdoptOptions options{.physical = physical(),
                             .device = device_,
                             .queues = {{.queue = queue_, .family = family_}},
                             .features = features_ ? features_.chain() : nullptr};
        if (features_) options.extensions = {features_.extensions().begin(), features_.extensions().end()};
        return options;
    }
    Device adopt() { return must(Device::adopt(options())); }

    VkCommandBuffer begin(VkCommandPool pool = VK_NULL_HANDLE,
                          VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) const {
        const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = pool ? pool : pool_,
                                               .level = level,
                                               .commandBufferCount = 1};
        VkCommandBuffer commands = VK_NULL_HANDLE;
        REQUIRE(vkAllocateCommandBuffers(device_, &info, &commands) == VK_SUCCESS);
        const VkCommandBufferInheritanceInfo inherited{.sType =
                                                           VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
        const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                             .pInheritanceInfo = &inherited};
        REQUIRE(vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS);
        return commands;
    }
    /// A memory barrier of what kernel_access() tells.
    static void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags from_access,
                        VkPipelineStageFlags to, VkAccessFlags to_access) {
        const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = from_access,
                                     .dstAccessMask = to_access};
        vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
    }
    void submit(VkCommandBuffer commands) const {
        const VkSubmitInfo info{
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
        REQUIRE(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS);
        REQUIRE(vkQueueWaitIdle(queue_) == VK_SUCCESS);
    }
    /// A pool for a thread; the caller destroys it.
    VkCommandPool make_pool() const {
        const VkCommandPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .queueFamilyIndex = family_};
        VkCommandPool pool = VK_NULL_HANDLE;
        REQUIRE(vkCreateCommandPool(device_, &info, nullptr, &pool) == VK_SUCCESS);
        return pool;
    }

 private:
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                     VkDebugUtilsMessageTypeFlagsEXT,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                     void* user) {
        ++*static_cast<std::atomic<uint32_t>*>(user);
        MESSAGE(std::string(data->pMessage).substr(0, 400));
        return VK_FALSE;
    }
    void make_instance() {
        const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .apiVersion = version_};
        const char* layer = "VK_LAYER_KHRONOS_validation";
        const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                    VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
        const VkValidationFeatureEnableEXT synchronization =
            VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
        const VkValidationFeaturesEXT validation{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                                 .enabledValidationFeatureCount = 1,
                                                 .pEnabledValidationFeatures = &synchronization};
        VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pNext = &validation,
                                  .pApplicationInfo = &application,
                                  .enabledLayerCount = 1,
                                  .ppEnabledLayerNames = &layer,
                                  .enabledExtensionCount = 2,
                                  .ppEnabledExtensionNames = extensions};
        const char* const wish = std::getenv("CALDERA_VALIDATION");  // 0: a layer beside it forbids it
        if ((wish && std::string(wish) == "0") ||
            vkCreateInstance(&info, nullptr, &instance_) != VK_SUCCESS) {
            MESSAGE("there is no validation layer");
            info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
            REQUIRE(vkCreateInstance(&info, nullptr, &instance_) == VK_SUCCESS);
            return;
        }
        const VkDebugUtilsMessengerCreateInfoEXT messages{
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
            .pfnUserCallback = on_message,
            .pUserData = &messages_};
        const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
            vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
        REQUIRE(create(instance_, &messages, nullptr, &messenger_) == VK_SUCCESS);
    }
    void choose() {
        uint32_t count = 0;
        REQUIRE(vkEnumeratePhysicalDevices(instance_, &count, nullptr) == VK_SUCCESS);
        std::vector<VkPhysicalDevice> devices(count);
        REQUIRE(vkEnumeratePhysicalDevices(instance_, &count, devices.data()) >= 0);
        REQUIRE(count > 0);
        physical_ = choose_device(devices);
        REQUIRE(physical_ != VK_NULL_HANDLE);
        const std::optional<uint32_t> family = find_compute_family(physical_);
        REQUIRE(family);
        family_ = *family;
    }

    const uint32_t version_;
    std::atomic<uint32_t> messages_ = 0;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    uint32_t family_ = 0;
    RequiredFeatures features_ = {};
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
};

/// A buffer of the application with mapped memory of its own. It must die before the device.
class ApplicationBuffer {
 public:
    ApplicationBuffer(const Application& application, uint64_t size_bytes, VkBufferUsageFlags usage)
        : device_(application.device()), usage_(usage) {
        const VkBufferCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
        REQUIRE(vkCreateBuffer(device_, &info, nullptr, &buffer_) == VK_SUCCESS);
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(device_, buffer_, &requirements);
        VkPhysicalDeviceMemoryProperties memory;
        vkGetPhysicalDeviceMemoryProperties(application.physical().physical_device, &memory);
        constexpr VkMemoryPropertyFlags kMapped =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        uint32_t type = 0;
        while (!(requirements.memoryTypeBits >> type & 1) ||
               (memory.memoryTypes[type].propertyFlags & kMapped) != kMapped)
            REQUIRE(++type < memory.memoryTypeCount);
        const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                              .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
        const bool has_address = usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                              .pNext = has_address ? &flags : nullptr,
                                              .allocationSize = requirements.size,
                                              .memoryTypeIndex = type};
        REQUIRE(vkAllocateMemory(device_, &allocation, nullptr, &memory_) == VK_SUCCESS);
        REQUIRE(vkBindBufferMemory(device_, buffer_, memory_, 0) == VK_SUCCESS);
        void* mapped = nullptr;
        REQUIRE(vkMapMemory(device_, memory_, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS);
        words = static_cast<uint32_t*>(mapped);
        std::fill(words, words + size_bytes / 4, 0u);
    }
    ~ApplicationBuffer() {
        vkDestroyBuffer(device_, buffer_, nullptr);
        vkFreeMemory(device_, memory_, nullptr);
    }
    ApplicationBuffer(const ApplicationBuffer&) = delete;
    ApplicationBuffer& operator=(const ApplicationBuffer&) = delete;

    VkBuffer vk() const { return buffer_; }
    AdoptedBuffer part(uint64_t offset_bytes, uint64_t size_bytes) const {
        return {.buffer = buffer_, .offset_bytes = offset_bytes, .size_bytes = size_bytes, .usage = usage_};
    }

    uint32_t* words = nullptr;  ///< the bytes

 private:
    const VkDevice device_;
    const VkBufferUsageFlags usage_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

}  // namespace caldera
