// SPDX-License-Identifier: Apache-2.0
// Twin: a GLSL compute shader run the ordinary Vulkan way, with descriptors, to compare generated code with.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"

namespace caldera::bench {

class Twin {
 public:
    /// `buffers` become bindings 0, 1, … of set 0.
    static Result<std::unique_ptr<Twin>> create(runtime::Device& device, std::span<const uint32_t> words,
                                                std::span<const runtime::Buffer* const> buffers,
                                                std::span<const std::byte> push_constants);

    /// Runs it once and waits; nanoseconds by the device's clock.
    Result<uint64_t> run(std::array<uint32_t, 3> group_count);

 private:
    Twin(runtime::Device& device, std::span<const std::byte> push_constants)
        : device_(device), push_constants_(push_constants.begin(), push_constants.end()) {}
    Result<Done> create_layouts(uint32_t buffer_count);
    Result<Done> create_pipeline(std::span<const uint32_t> words);
    Result<Done> create_descriptors(std::span<const runtime::Buffer* const> buffers);
    Result<Done> create_commands();
    Result<Done> record(std::array<uint32_t, 3> group_count);

    runtime::Device& device_;
    std::vector<std::byte> push_constants_;
    runtime::DescriptorSetLayoutHandle set_layout_ = {};
    runtime::PipelineLayoutHandle layout_ = {};
    runtime::ShaderHandle shader_ = {};
    runtime::PipelineHandle pipeline_ = {};
    runtime::DescriptorPoolHandle descriptor_pool_ = {};
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    runtime::CommandPoolHandle pool_ = {};
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    runtime::QueryPoolHandle queries_ = {};
};

}  // namespace caldera::bench
