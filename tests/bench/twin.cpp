// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/twin.h"

#include <cstdio>
#include <cstdlib>

namespace caldera::bench {
namespace {

void must(VkResult result, const char* call) {
    if (result == VK_SUCCESS) return;
    std::fprintf(stderr, "%s\n", runtime::vulkan_error(call, result).message.c_str());
    std::exit(1);
}

}  // namespace

Twin::Twin(runtime::Device& device, std::span<const uint32_t> words,
           std::span<const runtime::Buffer* const> buffers, std::span<const std::byte> push_constants,
           std::array<uint32_t, 3> local_size)
    : device_(device), push_constants_(push_constants.begin(), push_constants.end()) {
    const VkDevice vk = device.vk();
    const auto count = static_cast<uint32_t>(buffers.size());
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t b = 0; b < count; ++b)
        bindings.push_back({.binding = b,
                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            .descriptorCount = 1,
                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT});
    const VkDescriptorSetLayoutCreateInfo set_layout{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings.data()};
    must(vkCreateDescriptorSetLayout(vk, &set_layout, nullptr, &set_layout_), "vkCreateDescriptorSetLayout");
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                    .size = static_cast<uint32_t>(push_constants_.size())};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &set_layout_,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
    must(vkCreatePipelineLayout(vk, &layout, nullptr, &layout_), "vkCreatePipelineLayout");

    const VkShaderModuleCreateInfo module{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = words.size_bytes(),
                                          .pCode = words.data()};
    must(vkCreateShaderModule(vk, &module, nullptr, &shader_), "vkCreateShaderModule");
    const std::array<VkSpecializationMapEntry, 3> entries = {{{0, 0, 4}, {1, 4, 4}, {2, 8, 4}}};
    const VkSpecializationInfo specialization{
        .mapEntryCount = 3, .pMapEntries = entries.data(), .dataSize = 12, .pData = local_size.data()};
    const VkComputePipelineCreateInfo pipeline{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader_,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = layout_};
    must(vkCreateComputePipelines(vk, VK_NULL_HANDLE, 1, &pipeline, nullptr, &pipeline_),
         "vkCreateComputePipelines");

    const VkDescriptorPoolSize size{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = count};
    const VkDescriptorPoolCreateInfo descriptor_pool{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                     .maxSets = 1,
                                                     .poolSizeCount = 1,
                                                     .pPoolSizes = &size};
    must(vkCreateDescriptorPool(vk, &descriptor_pool, nullptr, &descriptor_pool_), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo set{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                          .descriptorPool = descriptor_pool_,
                                          .descriptorSetCount = 1,
                                          .pSetLayouts = &set_layout_};
    must(vkAllocateDescriptorSets(vk, &set, &set_), "vkAllocateDescriptorSets");
    for (uint32_t b = 0; b < count; ++b) {
        const VkDescriptorBufferInfo info{.buffer = buffers[b]->vk(), .offset = 0, .range = VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstSet = set_,
                                         .dstBinding = b,
                                         .descriptorCount = 1,
                                         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         .pBufferInfo = &info};
        vkUpdateDescriptorSets(vk, 1, &write, 0, nullptr);
    }

    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                       .queueFamilyIndex = device.queue_family()};
    must(vkCreateCommandPool(vk, &pool, nullptr, &pool_), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = pool_,
                                               .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                               .commandBufferCount = 1};
    must(vkAllocateCommandBuffers(vk, &commands, &commands_), "vkAllocateCommandBuffers");
    const VkQueryPoolCreateInfo queries{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    must(vkCreateQueryPool(vk, &queries, nullptr, &queries_), "vkCreateQueryPool");
    const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    must(vkCreateFence(vk, &fence, nullptr, &fence_), "vkCreateFence");
}

Twin::~Twin() {
    const VkDevice vk = device_.vk();
    vkDestroyFence(vk, fence_, nullptr);
    vkDestroyQueryPool(vk, queries_, nullptr);
    vkDestroyCommandPool(vk, pool_, nullptr);
    vkDestroyDescriptorPool(vk, descriptor_pool_, nullptr);
    vkDestroyPipeline(vk, pipeline_, nullptr);
    vkDestroyShaderModule(vk, shader_, nullptr);
    vkDestroyPipelineLayout(vk, layout_, nullptr);
    vkDestroyDescriptorSetLayout(vk, set_layout_, nullptr);
}

uint64_t Twin::run(std::array<uint32_t, 3> group_count) {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    must(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
    vkCmdResetQueryPool(commands_, queries_, 0, 2);
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       static_cast<uint32_t>(push_constants_.size()), push_constants_.data());
    vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 0);
    vkCmdDispatch(commands_, group_count[0], group_count[1], group_count[2]);
    vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 1);
    must(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
    const VkSubmitInfo submit{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands_};
    must(vkQueueSubmit(device_.vk_queue(), 1, &submit, fence_), "vkQueueSubmit");
    must(vkWaitForFences(device_.vk(), 1, &fence_, VK_TRUE, UINT64_MAX), "vkWaitForFences");
    must(vkResetFences(device_.vk(), 1, &fence_), "vkResetFences");
    std::array<uint64_t, 2> ticks = {};
    must(vkGetQueryPoolResults(device_.vk(), queries_, 0, 2, sizeof ticks, ticks.data(), 8,
                               VK_QUERY_RESULT_64_BIT),
         "vkGetQueryPoolResults");
    return static_cast<uint64_t>(static_cast<double>(ticks[1] - ticks[0]) *
                                 static_cast<double>(device_.limits().timestampPeriod));
}

}  // namespace caldera::bench
