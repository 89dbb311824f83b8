// SPDX-License-Identifier: Apache-2.0
// Writes each sample of an application's image, for tests: by a draw with a mask of this sample alone.
#pragma once

#include <functional>
#include <span>

#include "library/application_fixture.h"
#include "write_float_sample_spv.h"
#include "write_sample_vert_spv.h"
#include "write_signed_sample_spv.h"
#include "write_unsigned_sample_spv.h"

namespace caldera {

/// An image of 4 samples that can be an attachment. Its layout is VK_IMAGE_LAYOUT_GENERAL before and after.
struct MultisampledImage {
    VkImage image = {};
    VkFormat format = {};  ///< one of floats, of integers, or VK_FORMAT_D32_SFLOAT
    VkExtent2D extent = {};
    uint32_t layers = 1;
    bool is_depth() const { return format == VK_FORMAT_D32_SFLOAT; }
};

namespace sample_writer {

inline VkShaderModule shader(VkDevice device, std::span<const uint32_t> words) {
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = words.size_bytes(),
                                        .pCode = words.data()};
    VkShaderModule made = {};
    REQUIRE(vkCreateShaderModule(device, &info, nullptr, &made) == VK_SUCCESS);
    return made;
}

inline std::span<const uint32_t> fragment_words(VkFormat format) {
    switch (format) {
        case VK_FORMAT_R32_SINT: return write_signed_sample_spv;
        case VK_FORMAT_R32_UINT: return write_unsigned_sample_spv;
        default: return write_float_sample_spv;
    }
}

inline VkRenderPass render_pass(VkDevice device, const MultisampledImage& image) {
    const VkAttachmentDescription attachment{.format = image.format,
                                             .samples = VK_SAMPLE_COUNT_4_BIT,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                             .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                             .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                             .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference whole{.attachment = 0, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    if (image.is_depth())
        subpass.pDepthStencilAttachment = &whole;
    else {
        subpass.colorAttachmentCount = 1;
        subpass.pColorAttachments = &whole;
    }
    const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                      .attachmentCount = 1,
                                      .pAttachments = &attachment,
                                      .subpassCount = 1,
                                      .pSubpasses = &subpass};
    VkRenderPass made = {};
    REQUIRE(vkCreateRenderPass(device, &info, nullptr, &made) == VK_SUCCESS);
    return made;
}

/// It writes the sample of this number.
inline VkPipeline pipeline(VkDevice device, const MultisampledImage& image, VkPipelineLayout layout,
                           VkRenderPass pass, uint32_t sample) {
    VkShaderModule vertex = shader(device, write_sample_vert_spv),
                   fragment = shader(device, fragment_words(image.format));
    const VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex,
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment,
         .pName = "main"}};
    const VkPipelineVertexInputStateCreateInfo no_input{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo triangles{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport all{.width = static_cast<float>(image.extent.width),
                         .height = static_cast<float>(image.extent.height),
                         .maxDepth = 1};
    const VkRect2D area{.extent = image.extent};
    const VkPipelineViewportStateCreateInfo viewport{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &all,
        .scissorCount = 1,
        .pScissors = &area};
    const VkPipelineRasterizationStateCreateInfo fill{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkSampleMask mask = 1u << sample;
    const VkPipelineMultisampleStateCreateInfo one_sample{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
        .pSampleMask = &mask};
    const VkPipelineDepthStencilStateCreateInfo write_depth{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_ALWAYS};
    const VkPipelineColorBlendAttachmentState replace{.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo write_color{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = image.is_depth() ? 0u : 1u,
        .pAttachments = &replace};
    const VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                            .stageCount = image.is_depth() ? 1u : 2u,
                                            .pStages = stages,
                                            .pVertexInputState = &no_input,
                                            .pInputAssemblyState = &triangles,
                                            .pViewportState = &viewport,
                                            .pRasterizationState = &fill,
                                            .pMultisampleState = &one_sample,
                                            .pDepthStencilState = &write_depth,
                                            .pColorBlendState = &write_color,
                                            .layout = layout,
                                            .renderPass = pass};
    VkPipeline made = {};
    REQUIRE(vkCreateGraphicsPipelines(device, {}, 1, &info, nullptr, &made) == VK_SUCCESS);
    vkDestroyShaderModule(device, vertex, nullptr);
    vkDestroyShaderModule(device, fragment, nullptr);
    return made;
}

/// One layer.
class LayerTarget {
 public:
    LayerTarget(VkDevice device, const MultisampledImage& image, VkRenderPass pass, uint32_t layer)
        : device_(device) {
        const VkImageAspectFlags aspect =
            image.is_depth() ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
        const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                         .image = image.image,
                                         .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                         .format = image.format,
                                         .subresourceRange = {aspect, 0, 1, layer, 1}};
        REQUIRE(vkCreateImageView(device, &view, nullptr, &view_) == VK_SUCCESS);
        const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = pass,
                                           .attachmentCount = 1,
                                           .pAttachments = &view_,
                                           .width = image.extent.width,
                                           .height = image.extent.height,
                                           .layers = 1};
        REQUIRE(vkCreateFramebuffer(device, &info, nullptr, &framebuffer_) == VK_SUCCESS);
    }
    ~LayerTarget() {
        vkDestroyFramebuffer(device_, framebuffer_, nullptr);
        vkDestroyImageView(device_, view_, nullptr);
    }
    LayerTarget(const LayerTarget&) = delete;
    LayerTarget& operator=(const LayerTarget&) = delete;
    VkFramebuffer vk() const { return framebuffer_; }

 private:
    VkDevice device_ = {};
    VkImageView view_ = {};
    VkFramebuffer framebuffer_ = {};
};

}  // namespace sample_writer

/// Gives each sample of each layer the number that `number(layer, sample)` is, in all texels.
inline void write_samples(const Application& application, const MultisampledImage& image,
                          const std::function<float(uint32_t, uint32_t)>& number) {
    using namespace sample_writer;
    constexpr uint32_t kSamples = 4;
    VkDevice device = application.device();
    const VkPushConstantRange numbers{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                      2 * sizeof(float)};
    const VkPipelineLayoutCreateInfo layout_info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .pushConstantRangeCount = 1,
                                                 .pPushConstantRanges = &numbers};
    VkPipelineLayout layout = {};
    REQUIRE(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout) == VK_SUCCESS);
    VkRenderPass pass = render_pass(device, image);
    VkPipeline pipelines[kSamples];
    for (uint32_t sample = 0; sample < kSamples; ++sample)
        pipelines[sample] = pipeline(device, image, layout, pass, sample);
    for (uint32_t layer = 0; layer < image.layers; ++layer) {
        const LayerTarget target(device, image, pass, layer);
        const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                          .renderPass = pass,
                                          .framebuffer = target.vk(),
                                          .renderArea = {.extent = image.extent}};
        VkCommandBuffer commands = application.begin();
        vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
        for (uint32_t sample = 0; sample < kSamples; ++sample) {
            const float value = number(layer, sample), pushed[] = {value, image.is_depth() ? value : 0};
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[sample]);
            vkCmdPushConstants(commands, layout, numbers.stageFlags, 0, sizeof pushed, pushed);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        vkCmdEndRenderPass(commands);
        Application::barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        application.submit(commands);
    }
    for (VkPipeline each : pipelines) vkDestroyPipeline(device, each, nullptr);
    vkDestroyRenderPass(device, pass, nullptr);
    vkDestroyPipelineLayout(device, layout, nullptr);
}

}  // namespace caldera
