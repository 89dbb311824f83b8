// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/texture_format.h"

#include <algorithm>
#include <iterator>

#include "vulkan/interface.h"
#include "vulkan/runtime/image_format.h"

namespace caldera::runtime {
namespace {

constexpr VkComponentSwizzle kR = VK_COMPONENT_SWIZZLE_R, kG = VK_COMPONENT_SWIZZLE_G,
                             kB = VK_COMPONENT_SWIZZLE_B, kA = VK_COMPONENT_SWIZZLE_A,
                             k0 = VK_COMPONENT_SWIZZLE_ZERO, k1 = VK_COMPONENT_SWIZZLE_ONE;

/// The number of channels in memory, and what is read of them (OpenCL C 3.0 6.15.15.7, table of channel
/// orders). What a format lacks is 0, 0 and 1, also at the border.
struct Order {
    uint32_t order = 0;
    size_t channels = 0;
    VkComponentMapping components = {};
};
constexpr Order kOrders[] = {{kOrderR, 1, {}},
                             {kOrderA, 1, {k0, k0, k0, kR}},
                             {kOrderRG, 2, {}},
                             {kOrderRA, 2, {kR, k0, k0, kG}},
                             {kOrderRGBA, 4, {}},
                             {kOrderBGRA, 4, {kB, kG, kR, kA}},
                             {kOrderARGB, 4, {kG, kB, kA, kR}},
                             {kOrderABGR, 4, {kA, kB, kG, kR}},
                             {kOrderIntensity, 1, {kR, kR, kR, kR}},
                             {kOrderLuminance, 1, {kR, kR, kR, k1}},
                             {kOrderDepth, 1, {}}};

/// The formats have 1, 2 and 4 channels.
struct Type {
    uint32_t type = 0;    ///< the number of the type that `formats` name
    uint32_t bytes = 0;   ///< of a channel
    uint8_t numbers = 0;  ///< one of vulkan::TexelNumbers
    VkFormat formats[3] = {};
};
using enum vulkan::TexelNumbers;
constexpr Type kTypes[] = {
    {kSnormInt8, 1, kFloatTexels, {VK_FORMAT_R8_SNORM, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8A8_SNORM}},
    {kSnormInt16,
     2,
     kFloatTexels,
     {VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_SNORM, VK_FORMAT_R16G16B16A16_SNORM}},
    {kUnormInt8, 1, kFloatTexels, {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UNORM}},
    {kUnormInt16,
     2,
     kFloatTexels,
     {VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16B16A16_UNORM}},
    {kSignedInt8, 1, kSignedTexels, {VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, VK_FORMAT_R8G8B8A8_SINT}},
    {kSignedInt16,
     2,
     kSignedTexels,
     {VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R16G16B16A16_SINT}},
    {kSignedInt32,
     4,
     kSignedTexels,
     {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32A32_SINT}},
    {kUnsignedInt8, 1, kUnsignedTexels, {VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8A8_UINT}},
    {kUnsignedInt16,
     2,
     kUnsignedTexels,
     {VK_FORMAT_R16_UINT, VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16B16A16_UINT}},
    {kUnsignedInt32,
     4,
     kUnsignedTexels,
     {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT}},
    {kHalfFloat,
     2,
     kFloatTexels,
     {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT}},
    {kFloat,
     4,
     kFloatTexels,
     {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}}};

bool is_identity(const VkComponentMapping& components) {
    return components.r == VK_COMPONENT_SWIZZLE_IDENTITY && components.g == VK_COMPONENT_SWIZZLE_IDENTITY &&
           components.b == VK_COMPONENT_SWIZZLE_IDENTITY && components.a == VK_COMPONENT_SWIZZLE_IDENTITY;
}

}  // namespace

/// Packed types stay memory: OpenCL's have the channels in another order. sRGB does too: hardware converts
/// it by a table, whose error Vulkan does not bound.
std::optional<TextureFormat> texture_format(uint32_t channel_order, uint32_t channel_data_type) {
    const auto* order = std::ranges::find(kOrders, channel_order, &Order::order);
    const auto* type = std::ranges::find(kTypes, channel_data_type, &Type::type);
    if (order == std::end(kOrders) || type == std::end(kTypes)) return std::nullopt;
    return TextureFormat{.format = type->formats[order->channels / 2],
                         .components = order->components,
                         .texel_bytes = static_cast<uint32_t>(order->channels) * type->bytes,
                         .channel_bytes = type->bytes,
                         .has_signs = type->type == kHalfFloat || type->type == kFloat ||
                                      type->type == kSnormInt8 || type->type == kSnormInt16,
                         .texel_numbers = type->numbers,
                         .is_in_order = is_identity(order->components)};
}

}  // namespace caldera::runtime
