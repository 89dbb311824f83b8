// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/view_format.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "vulkan/interface.h"
#include "vulkan/runtime/image_format.h"
#include "vulkan/runtime/texture_format.h"

namespace caldera::runtime {
namespace {

struct KnownView {
    VkFormat format;
    ViewFormat shown;
};
using enum vulkan::TexelNumbers;

/// Formats that are not those of textures. Words of four bytes are those bytes: all known devices have the
/// least one first. Integers that OpenCL does not have are here too.
constexpr KnownView kOtherViews[] = {
    {VK_FORMAT_B8G8R8A8_UNORM, {kOrderBGRA, kUnormInt8, kFloatTexels}},
    {VK_FORMAT_B8G8R8A8_SNORM, {kOrderBGRA, kSnormInt8, kFloatTexels}},
    {VK_FORMAT_B8G8R8A8_UINT, {kOrderBGRA, kUnsignedInt8, kUnsignedTexels}},
    {VK_FORMAT_B8G8R8A8_SINT, {kOrderBGRA, kSignedInt8, kSignedTexels}},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, {kOrderRGBA, kUnormInt8, kFloatTexels}},
    {VK_FORMAT_A8B8G8R8_SNORM_PACK32, {kOrderRGBA, kSnormInt8, kFloatTexels}},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, {kOrderSRGBA, kUnormInt8, kFloatTexels}},
    {VK_FORMAT_R8G8B8A8_SRGB, {kOrderSRGBA, kUnormInt8, kFloatTexels}},
    {VK_FORMAT_R8G8B8_SRGB, {kOrderSRGB, kUnormInt8, kFloatTexels}},
    {VK_FORMAT_B8G8R8A8_SRGB, {kOrderSBGRA, kUnormInt8, kFloatTexels}},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, {kOrderRGB, kUnormShort565, kFloatTexels}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {kOrderABGR, kUnormInt2_101010, kFloatTexels}},
    {VK_FORMAT_D16_UNORM, {kOrderDepth, kUnormInt16, kFloatTexels}},
    {VK_FORMAT_D32_SFLOAT, {kOrderDepth, kFloat, kFloatTexels}},
    {VK_FORMAT_R8G8B8_UINT, {0, 0, kUnsignedTexels}},
    {VK_FORMAT_R8G8B8_SINT, {0, 0, kSignedTexels}},
    {VK_FORMAT_B8G8R8_UINT, {0, 0, kUnsignedTexels}},
    {VK_FORMAT_B8G8R8_SINT, {0, 0, kSignedTexels}},
    {VK_FORMAT_A8B8G8R8_UINT_PACK32, {kOrderRGBA, kUnsignedInt8, kUnsignedTexels}},
    {VK_FORMAT_A8B8G8R8_SINT_PACK32, {kOrderRGBA, kSignedInt8, kSignedTexels}},
    {VK_FORMAT_A2R10G10B10_UINT_PACK32, {0, 0, kUnsignedTexels}},
    {VK_FORMAT_A2R10G10B10_SINT_PACK32, {0, 0, kSignedTexels}},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, {0, 0, kUnsignedTexels}},
    {VK_FORMAT_A2B10G10R10_SINT_PACK32, {0, 0, kSignedTexels}},
    {VK_FORMAT_R16G16B16_UINT, {0, 0, kUnsignedTexels}},
    {VK_FORMAT_R16G16B16_SINT, {0, 0, kSignedTexels}},
    {VK_FORMAT_R32G32B32_UINT, {0, 0, kUnsignedTexels}},
    {VK_FORMAT_R32G32B32_SINT, {0, 0, kSignedTexels}},
    {VK_FORMAT_S8_UINT, {0, 0, kUnsignedTexels}},
    // A view has one of the two aspects, which only the application knows.
    {VK_FORMAT_D16_UNORM_S8_UINT, {0, 0, kFloatTexels | kUnsignedTexels}},
    {VK_FORMAT_D24_UNORM_S8_UINT, {0, 0, kFloatTexels | kUnsignedTexels}},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, {0, 0, kFloatTexels | kUnsignedTexels}},
};

/// From VK_FORMAT_R64_UINT on, of one to four channels. A module's images have texels of 32 bits, and Vulkan
/// wants those of 64 bits in the module for such views (VUID-vkCmdDispatch-SampledType-04470).
bool has_wide_channels(VkFormat format) {
    return format >= VK_FORMAT_R64_UINT && format <= VK_FORMAT_R64G64B64A64_SFLOAT;
}

constexpr uint32_t kViewOrders[] = {kOrderR, kOrderRG, kOrderRGBA};

}  // namespace

ViewFormat view_format(VkFormat format) {
    if (has_wide_channels(format)) return {};
    for (const uint32_t order : kViewOrders)
        for (const ChannelType& type : channel_types())
            if (const std::optional<TextureFormat> texture = texture_format(order, type.type);
                texture && texture->format == format)
                return {.channel_order = order,
                        .channel_data_type = type.type,
                        .texel_numbers = texture->texel_numbers};
    const auto* other = std::ranges::find(kOtherViews, format, &KnownView::format);
    return other == std::end(kOtherViews) ? ViewFormat{.texel_numbers = kFloatTexels} : other->shown;
}

bool gives_numbers(uint8_t of_format, uint8_t of_argument, bool has_open_signs) {
    if (of_argument == 0 || (of_format & of_argument)) return true;
    return has_open_signs && of_format == kSignedTexels && (of_argument & kUnsignedTexels);
}

std::optional<VkFormat> storage_format_named(std::string_view name) {
    constexpr std::pair<std::string_view, VkFormat> kNamed[] = {{"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT},
                                                                {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT},
                                                                {"r32f", VK_FORMAT_R32_SFLOAT},
                                                                {"rgba8", VK_FORMAT_R8G8B8A8_UNORM},
                                                                {"rgba8_snorm", VK_FORMAT_R8G8B8A8_SNORM},
                                                                {"rgba32i", VK_FORMAT_R32G32B32A32_SINT},
                                                                {"rgba16i", VK_FORMAT_R16G16B16A16_SINT},
                                                                {"rgba8i", VK_FORMAT_R8G8B8A8_SINT},
                                                                {"r32i", VK_FORMAT_R32_SINT},
                                                                {"rgba32ui", VK_FORMAT_R32G32B32A32_UINT},
                                                                {"rgba16ui", VK_FORMAT_R16G16B16A16_UINT},
                                                                {"rgba8ui", VK_FORMAT_R8G8B8A8_UINT},
                                                                {"r32ui", VK_FORMAT_R32_UINT}};
    for (const auto& [known, format] : kNamed)
        if (known == name) return format;
    return std::nullopt;
}

}  // namespace caldera::runtime
