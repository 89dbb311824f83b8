// SPDX-License-Identifier: Apache-2.0
// Twin: a GLSL compute shader run the ordinary Vulkan way, with descriptors, to compare generated code with.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vulkan/runtime/device.h"

namespace caldera::bench {

class Twin {
 public:
    /// `buffers` become bindings 0, 1, … of set 0. `local_size` fills the specialisation constants 0 to 2.
    Twin(runtime::Device& device, std::span<const uint32_t> words,
         std::span<const runtime::Buffer* const> buffers, std::span<const std::byte> push_constants,
         std::array<uint32_t, 3> local_size);
    ~Twin();
    Twin(const Twin&) = delete;
    Twin& operator=(const Twin&) = delete;

    /// Runs it once and waits; nanoseconds by the device's clock.
    uint64_t run(std::array<uint32_t, 3> group_count);

 private:
    runtime::Device& device_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkShaderModule shader_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkDescriptorPool descriptor_pool_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkQueryPool queries_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
    std::vector<std::byte> push_constants_;
};

}  // namespace caldera::bench
