// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/shared_format.h"

#include <algorithm>
#include <iterator>

#include "vulkan/runtime/image_format.h"
#include "vulkan/runtime/texture_format.h"

namespace caldera::runtime {
namespace {

struct FormatOfOthers {
    uint32_t order = 0, type = 0;
    VkFormat format = VK_FORMAT_UNDEFINED;
};
/// Formats that kernels read by a texture of another format, or from memory alone.
constexpr FormatOfOthers kFormatsOfOthers[] = {
    {kOrderBGRA, kUnormInt8, VK_FORMAT_B8G8R8A8_UNORM}, {kOrderBGRA, kSnormInt8, VK_FORMAT_B8G8R8A8_SNORM},
    {kOrderBGRA, kSignedInt8, VK_FORMAT_B8G8R8A8_SINT}, {kOrderBGRA, kUnsignedInt8, VK_FORMAT_B8G8R8A8_UINT},
    {kOrderSRGBA, kUnormInt8, VK_FORMAT_R8G8B8A8_SRGB}, {kOrderSBGRA, kUnormInt8, VK_FORMAT_B8G8R8A8_SRGB}};

/// Depths are declined: images of D16_UNORM and D32_SFLOAT have another aspect, and uses of their own.
VkFormat format_of_others(uint32_t order, uint32_t type) {
    const auto* found = std::ranges::find_if(kFormatsOfOthers, [&](const FormatOfOthers& each) {
        return each.order == order && each.type == type;
    });
    if (found != std::end(kFormatsOfOthers)) return found->format;
    const std::optional<TextureFormat> texture = texture_format(order, type);
    return texture && !has_planes_only(order) ? texture->format : VK_FORMAT_UNDEFINED;
}

}  // namespace

std::optional<SharedFormat> shared_format(VkPhysicalDevice physical, uint32_t channel_order,
                                          uint32_t channel_data_type, VkImageViewType view,
                                          VkExternalMemoryHandleTypeFlagBits type) {
    SharedFormat found{.format = format_of_others(channel_order, channel_data_type)};
    if (found.format == VK_FORMAT_UNDEFINED) return std::nullopt;
    VkFormatProperties features;
    vkGetPhysicalDeviceFormatProperties(physical, found.format, &features);
    found.usage =
        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (features.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)
        found.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    const VkPhysicalDeviceExternalImageFormatInfo external{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO, .handleType = type};
    const VkPhysicalDeviceImageFormatInfo2 asked{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &external,
        .format = found.format,
        .type = image_type(view),
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = found.usage};
    VkExternalImageFormatProperties shares{.sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 most{.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &shares};
    if (vkGetPhysicalDeviceImageFormatProperties2(physical, &asked, &most) != VK_SUCCESS) return std::nullopt;
    const VkExternalMemoryFeatureFlags can = shares.externalMemoryProperties.externalMemoryFeatures;
    if (!(can & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT)) return std::nullopt;
    found.is_dedicated = can & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT;
    found.most = most.imageFormatProperties;
    return found;
}

}  // namespace caldera::runtime
