// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/texture_format.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "vulkan/interface.h"
#include "vulkan/runtime/image_format.h"

namespace caldera::runtime {
namespace {

constexpr VkComponentSwizzle kR = VK_COMPONENT_SWIZZLE_R, kG = VK_COMPONENT_SWIZZLE_G,
                             kB = VK_COMPONENT_SWIZZLE_B, kA = VK_COMPONENT_SWIZZLE_A,
                             k0 = VK_COMPONENT_SWIZZLE_ZERO, k1 = VK_COMPONENT_SWIZZLE_ONE;

/// How kernels read an order's channels (OpenCL C 3.0 6.15.15.7, table of channel orders). Channels that a
/// format lacks are 0, 0 and 1, also at the border.
struct Order {
    uint32_t order = 0;
    VkComponentMapping components = {};
};
constexpr Order kOrders[] = {{kOrderR, {}},
                             {kOrderA, {k0, k0, k0, kR}},
                             {kOrderRG, {}},
                             {kOrderRA, {kR, k0, k0, kG}},
                             {kOrderRGBA, {}},
                             {kOrderBGRA, {kB, kG, kR, kA}},
                             {kOrderARGB, {kG, kB, kA, kR}},
                             {kOrderABGR, {kA, kB, kG, kR}},
                             {kOrderIntensity, {kR, kR, kR, kR}},
                             {kOrderLuminance, {kR, kR, kR, k1}},
                             {kOrderDepth, {}}};

/// The formats have 1, 2 and 4 channels.
struct Type {
    uint32_t type = 0;
    VkFormat formats[3] = {};
};
constexpr Type kTypes[] = {
    {kSnormInt8, {VK_FORMAT_R8_SNORM, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8A8_SNORM}},
    {kSnormInt16, {VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_SNORM, VK_FORMAT_R16G16B16A16_SNORM}},
    {kUnormInt8, {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UNORM}},
    {kUnormInt16, {VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16B16A16_UNORM}},
    {kSignedInt8, {VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, VK_FORMAT_R8G8B8A8_SINT}},
    {kSignedInt16, {VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R16G16B16A16_SINT}},
    {kSignedInt32, {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32A32_SINT}},
    {kUnsignedInt8, {VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8A8_UINT}},
    {kUnsignedInt16, {VK_FORMAT_R16_UINT, VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16B16A16_UINT}},
    {kUnsignedInt32, {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT}},
    {kHalfFloat, {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT}},
    {kFloat, {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}}};

bool is_identity(const VkComponentMapping& components) {
    return components.r == VK_COMPONENT_SWIZZLE_IDENTITY && components.g == VK_COMPONENT_SWIZZLE_IDENTITY &&
           components.b == VK_COMPONENT_SWIZZLE_IDENTITY && components.a == VK_COMPONENT_SWIZZLE_IDENTITY;
}

}  // namespace

/// Packed types stay memory: OpenCL's have the channels in another order, but for CL_UNORM_INT_2_101010_EXT,
/// whose channels differ in size, which the probes of filters (texture_probe.h) do not know. sRGB does too:
/// hardware converts it by a table, whose error Vulkan does not bound.
std::optional<TextureFormat> texture_format(uint32_t channel_order, uint32_t channel_data_type) {
    const auto* order = std::ranges::find(kOrders, channel_order, &Order::order);
    const auto* type = std::ranges::find(kTypes, channel_data_type, &Type::type);
    if (order == std::end(kOrders) || type == std::end(kTypes)) return std::nullopt;
    const ChannelType& channel = *find_channel_type(channel_data_type);
    const size_t channels = std::strlen(channels_of(channel_order));
    return TextureFormat{
        .format = type->formats[channels / 2],
        .components = order->components,
        .texel_bytes = static_cast<uint32_t>(channels) * channel.bytes,
        .channel_bytes = channel.bytes,
        .has_signs = channel.texel_numbers == vulkan::kFloatTexels && channel.bits != ChannelBits::Unsigned,
        .texel_numbers = channel.texel_numbers,
        .is_in_order = is_identity(order->components)};
}

VkImageType image_type(VkImageViewType view) {
    switch (view) {
        case VK_IMAGE_VIEW_TYPE_1D:
        case VK_IMAGE_VIEW_TYPE_1D_ARRAY: return VK_IMAGE_TYPE_1D;
        case VK_IMAGE_VIEW_TYPE_3D: return VK_IMAGE_TYPE_3D;
        default: return VK_IMAGE_TYPE_2D;
    }
}

}  // namespace caldera::runtime
