// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/texture.h"

#include <algorithm>
#include <bit>

#include "spirv/support/align.h"
#include "vulkan/interface.h"

namespace caldera::runtime {
namespace {

VkImageUsageFlags usage_for(TextureUse use) {
    constexpr VkImageUsageFlags kSampled = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return use == TextureUse::Sampled
               ? kSampled
               : kSampled | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
}
VkFormatFeatureFlags features_for(TextureUse use) {
    return use == TextureUse::Sampled
               ? 0
               : VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT;
}

/// Until each size is 1. OpenCL images may have more levels.
uint32_t most_levels(const VkExtent3D& extent) {
    return static_cast<uint32_t>(std::bit_width(std::max({extent.width, extent.height, extent.depth})));
}

}  // namespace

VkBufferImageCopy whole_level(const TextureShape& shape, uint32_t level, uint64_t buffer_offset,
                              const TexelRows& rows) {
    const auto size = [&](uint32_t first) { return std::max(first >> level, 1u); };
    return {.bufferOffset = buffer_offset + rows.offset_bytes,
            .bufferRowLength = rows.row_texels,
            .bufferImageHeight = rows.slice_rows,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, shape.layers},
            .imageExtent = {size(shape.extent.width), size(shape.extent.height), size(shape.extent.depth)}};
}

bool fits(const VkImageFormatProperties& most, const TextureShape& shape) {
    return shape.extent.width <= most.maxExtent.width && shape.extent.height <= most.maxExtent.height &&
           shape.extent.depth <= most.maxExtent.depth && shape.layers <= most.maxArrayLayers &&
           shape.levels <= most.maxMipLevels;
}

VkImageCreateInfo image_info(VkFormat format, const TextureShape& shape, VkImageUsageFlags usage) {
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .imageType = image_type(shape.view),
            .format = format,
            .extent = shape.extent,
            .mipLevels = shape.levels,
            .arrayLayers = shape.layers,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .tiling = VK_IMAGE_TILING_OPTIMAL,
            .usage = usage,
            .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
            .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
}

bool Texture::is_supported(const Device& device, const TextureFormat& format, const TextureShape& shape,
                           TextureUse use) {
    if (shape.levels > most_levels(shape.extent)) return false;
    if (use == TextureUse::Written && (!format.is_in_order || !device.profile().storage_write_without_format))
        return false;
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(device.physical(), format.format, &properties);
    const VkFormatFeatureFlags wanted =
        VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT | features_for(use) |
        (format.texel_numbers == vulkan::kFloatTexels
             ? VkFormatFeatureFlags{VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT}
             : 0);
    if ((properties.optimalTilingFeatures & wanted) != wanted) return false;
    VkImageFormatProperties most;
    return vkGetPhysicalDeviceImageFormatProperties(device.physical(), format.format, image_type(shape.view),
                                                    VK_IMAGE_TILING_OPTIMAL, usage_for(use), 0,
                                                    &most) == VK_SUCCESS &&
           fits(most, shape);
}

Result<Texture> Texture::create(Device& device, const TextureFormat& format, const TextureShape& shape,
                                TextureUse use) {
    Texture out;
    out.shape_ = shape;
    out.use_ = use;
    const VkImageCreateInfo info = image_info(format.format, shape, usage_for(use));
    if (const VkResult result = out.image_.make(device.vk(), vkCreateImage, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateImage", result);
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(device.vk(), out.vk(), &requirements);
    // Buffers lie in the same blocks of memory.
    const uint64_t granularity = device.limits().bufferImageGranularity;
    requirements.alignment = std::max(requirements.alignment, granularity);
    requirements.size = align_up(requirements.size, granularity);
    Result<Allocation> memory = device.allocator().allocate(requirements, MemoryUse::Device);
    if (!memory) return memory.error();
    out.memory_ = memory.take();
    if (const VkResult result =
            vkBindImageMemory(device.vk(), out.vk(), out.memory_.memory(), out.memory_.offset_bytes());
        result != VK_SUCCESS)
        return vulkan_error("vkBindImageMemory", result);
    const VkImageViewCreateInfo view{
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = out.vk(),
        .viewType = shape.view,
        .format = format.format,
        .components = format.components,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, shape.levels, 0, shape.layers}};
    if (const VkResult result = out.view_.make(device.vk(), vkCreateImageView, view); result != VK_SUCCESS)
        return vulkan_error("vkCreateImageView", result);
    return out;
}

}  // namespace caldera::runtime
