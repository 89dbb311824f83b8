// SPDX-License-Identifier: Apache-2.0
// A device, a shader and memory for programs that show faults of drivers by Vulkan alone.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "pipeline_race_spv.h"
#include "vulkan/runtime/handle.h"

namespace caldera::driver_faults {

using namespace caldera::runtime;

struct GpuOptions {
    std::string device = {};  ///< a part of its name
    unsigned queues = 1;
};

inline void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS)
        throw std::runtime_error(std::string(call) + " gives " + std::to_string(result));
}

struct Gpu {
    Gpu() = default;
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;
    ~Gpu() {
        shader = {};
        layout = {};
        cache = {};
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    uint32_t family = 0;
    std::vector<VkQueue> queues = {};
    ShaderHandle shader = {};
    PipelineLayoutHandle layout = {};
    PipelineCacheHandle cache = {};
    std::mutex submitting = {};
};

/// The first device of such a name, and its first family of queues for kernels, one without graphics if it
/// has that.
inline void open(Gpu& gpu, const GpuOptions& options) {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo instance_info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                             .pApplicationInfo = &application};
    check(vkCreateInstance(&instance_info, nullptr, &gpu.instance), "vkCreateInstance");
    uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(gpu.instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vkEnumeratePhysicalDevices(gpu.instance, &count, devices.data()), "vkEnumeratePhysicalDevices");
    VkPhysicalDeviceProperties properties;
    for (VkPhysicalDevice device : devices) {
        vkGetPhysicalDeviceProperties(device, &properties);
        if (gpu.physical || std::string(properties.deviceName).find(options.device) == std::string::npos)
            continue;
        gpu.physical = device;
        std::printf("%s\n", properties.deviceName);
    }
    if (!gpu.physical) throw std::runtime_error("no such device");
    vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &count, families.data());
    bool has_graphics = true;
    for (uint32_t f = 0; f < count; ++f) {
        if (!(families[f].queueFlags & VK_QUEUE_COMPUTE_BIT) || !has_graphics) continue;
        has_graphics = families[f].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        gpu.family = f;
    }
    const uint32_t queue_count = std::min(options.queues, families[gpu.family].queueCount);
    const std::vector<float> priorities(queue_count, 1.0f);
    const VkDeviceQueueCreateInfo queues{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = gpu.family,
                                         .queueCount = queue_count,
                                         .pQueuePriorities = priorities.data()};
    VkPhysicalDeviceVulkan12Features features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .timelineSemaphore = VK_TRUE,
                                              .bufferDeviceAddress = VK_TRUE};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queues};
    check(vkCreateDevice(gpu.physical, &info, nullptr, &gpu.device), "vkCreateDevice");
    for (uint32_t q = 0; q < queue_count; ++q)
        vkGetDeviceQueue(gpu.device, gpu.family, q, &gpu.queues.emplace_back());
    const VkShaderModuleCreateInfo module{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = sizeof pipeline_race_spv,
                                          .pCode = pipeline_race_spv};
    check(gpu.shader.make(gpu.device, vkCreateShaderModule, module), "vkCreateShaderModule");
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = 8};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
    check(gpu.layout.make(gpu.device, vkCreatePipelineLayout, layout), "vkCreatePipelineLayout");
    const VkPipelineCacheCreateInfo cache{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    check(gpu.cache.make(gpu.device, vkCreatePipelineCache, cache), "vkCreatePipelineCache");
}

/// Memory that the host sees, of 32-bit words.
class Words {
 public:
    Words(const Gpu& gpu, uint32_t count) {
        const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = count * sizeof(uint32_t),
                                      .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
        check(buffer_.make(gpu.device, vkCreateBuffer, info), "vkCreateBuffer");
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(gpu.device, buffer_.get(), &requirements);
        VkPhysicalDeviceMemoryProperties memories;
        vkGetPhysicalDeviceMemoryProperties(gpu.physical, &memories);
        constexpr VkMemoryPropertyFlags kWanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        uint32_t type = 0;
        while (!(requirements.memoryTypeBits >> type & 1) ||
               (memories.memoryTypes[type].propertyFlags & kWanted) != kWanted)
            ++type;
        const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                              .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
        const VkMemoryAllocateInfo memory_info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                               .pNext = &flags,
                                               .allocationSize = requirements.size,
                                               .memoryTypeIndex = type};
        check(memory_.make(gpu.device, vkAllocateMemory, memory_info), "vkAllocateMemory");
        check(vkBindBufferMemory(gpu.device, buffer_.get(), memory_.get(), 0), "vkBindBufferMemory");
        void* mapped = nullptr;
        check(vkMapMemory(gpu.device, memory_.get(), 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
        words_ = static_cast<uint32_t*>(mapped);
        const VkBufferDeviceAddressInfo address{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                .buffer = buffer_.get()};
        address_ = vkGetBufferDeviceAddress(gpu.device, &address);
    }
    uint32_t* words() { return words_; }
    VkDeviceAddress address() const { return address_; }

 private:
    uint32_t* words_ = nullptr;  // mapped
    VkDeviceAddress address_ = 0;
    MemoryHandle memory_ = {};
    BufferHandle buffer_ = {};
};

}  // namespace caldera::driver_faults
