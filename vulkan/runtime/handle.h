// SPDX-License-Identifier: Apache-2.0
// Handle: the sole owner of a Vulkan object.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <utility>

#include "spirv/support/result.h"

namespace caldera::runtime {

/// Owns an object that belongs to a VkDevice; the device must outlive it.
template <class T, auto Destroy>
class Handle {
 public:
    Handle() = default;
    Handle(VkDevice device, T handle) : device_(device), handle_(handle) {}
    Handle(Handle&& other) noexcept
        : device_(other.device_), handle_(std::exchange(other.handle_, VK_NULL_HANDLE)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Handle() {
        if (handle_ != VK_NULL_HANDLE) Destroy(device_, handle_, nullptr);
    }

    /// Calls vkCreate… and owns the new object. On failure the handle is unchanged.
    template <class Info>
    VkResult make(VkDevice device,
                  VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*, T*),
                  const Info& info) {
        T made = VK_NULL_HANDLE;
        const VkResult result = create(device, &info, nullptr, &made);
        if (result == VK_SUCCESS) *this = Handle(device, made);
        return result;
    }

    T get() const { return handle_; }
    explicit operator bool() const { return handle_ != VK_NULL_HANDLE; }

 private:
    VkDevice device_ = VK_NULL_HANDLE;
    T handle_ = VK_NULL_HANDLE;
};

using BufferHandle = Handle<VkBuffer, vkDestroyBuffer>;
using MemoryHandle = Handle<VkDeviceMemory, vkFreeMemory>;
using ShaderHandle = Handle<VkShaderModule, vkDestroyShaderModule>;
using PipelineHandle = Handle<VkPipeline, vkDestroyPipeline>;
using PipelineLayoutHandle = Handle<VkPipelineLayout, vkDestroyPipelineLayout>;
using PipelineCacheHandle = Handle<VkPipelineCache, vkDestroyPipelineCache>;
using CommandPoolHandle = Handle<VkCommandPool, vkDestroyCommandPool>;
using FenceHandle = Handle<VkFence, vkDestroyFence>;
using SemaphoreHandle = Handle<VkSemaphore, vkDestroySemaphore>;
using DescriptorSetLayoutHandle = Handle<VkDescriptorSetLayout, vkDestroyDescriptorSetLayout>;
using DescriptorPoolHandle = Handle<VkDescriptorPool, vkDestroyDescriptorPool>;
using SamplerHandle = Handle<VkSampler, vkDestroySampler>;
using ImageHandle = Handle<VkImage, vkDestroyImage>;
using ImageViewHandle = Handle<VkImageView, vkDestroyImageView>;
using QueryPoolHandle = Handle<VkQueryPool, vkDestroyQueryPool>;

/// "vkCreateBuffer failed: out of device memory (-2)", with the VkResult as the code.
Error vulkan_error(const char* call, VkResult result);

}  // namespace caldera::runtime
