// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/twin.h"

#include <mutex>

namespace caldera::bench {
namespace {

template <class Owner, class Function, class Info>
Result<Done> create(VkDevice device, const char* call, Function function, const Info& info, Owner& owner) {
    const VkResult result = owner.make(device, function, info);
    return result == VK_SUCCESS ? Result<Done>(Done{}) : runtime::vulkan_error(call, result);
}

}  // namespace

Result<std::unique_ptr<Twin>> Twin::create(runtime::Device& device, std::span<const uint32_t> words,
                                           std::span<const runtime::Buffer* const> buffers,
                                           std::span<const std::byte> push_constants) {
    std::unique_ptr<Twin> twin(new Twin(device, push_constants));
    Result<Done> done = twin->create_layouts(static_cast<uint32_t>(buffers.size()));
    if (done) done = twin->create_pipeline(words);
    if (done) done = twin->create_descriptors(buffers);
    if (done) done = twin->create_commands();
    if (!done) return done.error();
    return twin;
}

Result<Done> Twin::create_layouts(uint32_t buffer_count) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t b = 0; b < buffer_count; ++b)
        bindings.push_back({.binding = b,
                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            .descriptorCount = 1,
                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT});
    const VkDescriptorSetLayoutCreateInfo set_layout{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = buffer_count,
        .pBindings = bindings.data()};
    if (Result<Done> done = bench::create(device_.vk(), "vkCreateDescriptorSetLayout",
                                          vkCreateDescriptorSetLayout, set_layout, set_layout_);
        !done)
        return done;
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                    .size = static_cast<uint32_t>(push_constants_.size())};
    const VkDescriptorSetLayout set = set_layout_.get();
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &set,
                                            .pushConstantRangeCount = push_constants_.empty() ? 0u : 1u,
                                            .pPushConstantRanges = &range};
    return bench::create(device_.vk(), "vkCreatePipelineLayout", vkCreatePipelineLayout, layout, layout_);
}

Result<Done> Twin::create_pipeline(std::span<const uint32_t> words) {
    const VkShaderModuleCreateInfo module{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = words.size_bytes(),
                                          .pCode = words.data()};
    if (Result<Done> done =
            bench::create(device_.vk(), "vkCreateShaderModule", vkCreateShaderModule, module, shader_);
        !done)
        return done;
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader_.get(),
                  .pName = "main"},
        .layout = layout_.get()};
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        vkCreateComputePipelines(device_.vk(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    if (result != VK_SUCCESS) return runtime::vulkan_error("vkCreateComputePipelines", result);
    pipeline_ = runtime::PipelineHandle(device_.vk(), pipeline);
    return Done{};
}

Result<Done> Twin::create_descriptors(std::span<const runtime::Buffer* const> buffers) {
    const VkDescriptorPoolSize size{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    .descriptorCount = static_cast<uint32_t>(buffers.size())};
    const VkDescriptorPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .maxSets = 1,
                                          .poolSizeCount = 1,
                                          .pPoolSizes = &size};
    if (Result<Done> done = bench::create(device_.vk(), "vkCreateDescriptorPool", vkCreateDescriptorPool,
                                          pool, descriptor_pool_);
        !done)
        return done;
    const VkDescriptorSetLayout layout = set_layout_.get();
    const VkDescriptorSetAllocateInfo set{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                          .descriptorPool = descriptor_pool_.get(),
                                          .descriptorSetCount = 1,
                                          .pSetLayouts = &layout};
    if (const VkResult result = vkAllocateDescriptorSets(device_.vk(), &set, &set_); result != VK_SUCCESS)
        return runtime::vulkan_error("vkAllocateDescriptorSets", result);
    for (uint32_t b = 0; b < buffers.size(); ++b) {
        const VkDescriptorBufferInfo info{.buffer = buffers[b]->vk(), .offset = 0, .range = VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstSet = set_,
                                         .dstBinding = b,
                                         .descriptorCount = 1,
                                         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         .pBufferInfo = &info};
        vkUpdateDescriptorSets(device_.vk(), 1, &write, 0, nullptr);
    }
    return Done{};
}

Result<Done> Twin::create_commands() {
    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                       .queueFamilyIndex = device_.families().compute.index};
    if (Result<Done> done =
            bench::create(device_.vk(), "vkCreateCommandPool", vkCreateCommandPool, pool, pool_);
        !done)
        return done;
    const VkCommandBufferAllocateInfo commands{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = pool_.get(),
                                               .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                               .commandBufferCount = 1};
    if (const VkResult result = vkAllocateCommandBuffers(device_.vk(), &commands, &commands_);
        result != VK_SUCCESS)
        return runtime::vulkan_error("vkAllocateCommandBuffers", result);
    const VkQueryPoolCreateInfo queries{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    return bench::create(device_.vk(), "vkCreateQueryPool", vkCreateQueryPool, queries, queries_);
}

/// Binding stands between the timestamps, as it does in runtime::Queue.
Result<Done> Twin::record(std::array<uint32_t, 3> group_count) {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (const VkResult result = vkBeginCommandBuffer(commands_, &begin); result != VK_SUCCESS)
        return runtime::vulkan_error("vkBeginCommandBuffer", result);
    vkCmdResetQueryPool(commands_, queries_.get(), 0, 2);
    vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(), 0);
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set_, 0,
                            nullptr);
    if (!push_constants_.empty())
        vkCmdPushConstants(commands_, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<uint32_t>(push_constants_.size()), push_constants_.data());
    vkCmdDispatch(commands_, group_count[0], group_count[1], group_count[2]);
    vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(), 1);
    if (const VkResult result = vkEndCommandBuffer(commands_); result != VK_SUCCESS)
        return runtime::vulkan_error("vkEndCommandBuffer", result);
    return Done{};
}

Result<uint64_t> Twin::run(std::array<uint32_t, 3> group_count) {
    if (Result<Done> done = record(group_count); !done) return done.error();
    const VkSubmitInfo submit{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands_};
    const VkQueue queue = device_.next_queue();
    if (const VkResult result = device_.submit(queue, submit, VK_NULL_HANDLE); result != VK_SUCCESS)
        return runtime::vulkan_error("vkQueueSubmit", result);
    if (const VkResult result = device_.wait_idle(queue); result != VK_SUCCESS)
        return runtime::vulkan_error("vkQueueWaitIdle", result);
    std::array<uint64_t, 2> ticks = {};
    if (const VkResult result = vkGetQueryPoolResults(device_.vk(), queries_.get(), 0, 2, sizeof ticks,
                                                      ticks.data(), 8, VK_QUERY_RESULT_64_BIT);
        result != VK_SUCCESS)
        return runtime::vulkan_error("vkGetQueryPoolResults", result);
    return static_cast<uint64_t>(static_cast<double>(ticks[1] - ticks[0]) *
                                 static_cast<double>(device_.limits().timestampPeriod));
}

}  // namespace caldera::bench
