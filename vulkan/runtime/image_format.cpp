// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/image_format.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>

namespace caldera::runtime {
namespace {

/// CL_Rx, CL_RGx and CL_RGBx are not supported: OpenCL C 3.0 gives their border colour the alpha 0
/// (6.15.15.1), but Khronos' conformance tests expect 1. No GPU driver is known to support them.
constexpr ChannelOrder kChannelOrders[] = {{kOrderR, "R", "r"},
                                           {kOrderA, "A", "a"},
                                           {kOrderRG, "RG", "rg"},
                                           {kOrderRA, "RA", "ra"},
                                           {kOrderRGB, "RGB", "rgb"},
                                           {kOrderRGBA, "RGBA", "rgba"},
                                           {kOrderBGRA, "BGRA", "bgra"},
                                           {kOrderARGB, "ARGB", "argb"},
                                           {kOrderABGR, "ABGR", "abgr"},
                                           {kOrderIntensity, "INTENSITY", "r"},
                                           {kOrderLuminance, "LUMINANCE", "r"},
                                           {kOrderDepth, "DEPTH", "r"},
                                           {kOrderSRGBA, "sRGBA", "rgba"},
                                           {kOrderSBGRA, "sBGRA", "bgra"},
                                           {kOrderRx, "Rx", "r", false},
                                           {kOrderRGx, "RGx", "rg", false},
                                           {kOrderRGBx, "RGBx", "rgb", false},
                                           {kOrderDepthStencil, "DEPTH_STENCIL", "r", false},
                                           {kOrderSRGB, "sRGB", "rgb", false},
                                           {kOrderSRGBx, "sRGBx", "rgbx", false}};

using enum ChannelBits;
using enum vulkan::TexelNumbers;
constexpr ChannelType kChannelTypes[] = {
    {kUnormInt8, "UNORM_INT8", 1, Unsigned, kFloatTexels},
    {kUnormInt16, "UNORM_INT16", 2, Unsigned, kFloatTexels},
    {kSnormInt8, "SNORM_INT8", 1, Signed, kFloatTexels},
    {kSnormInt16, "SNORM_INT16", 2, Signed, kFloatTexels},
    {kSignedInt8, "SIGNED_INT8", 1, Signed, kSignedTexels},
    {kSignedInt16, "SIGNED_INT16", 2, Signed, kSignedTexels},
    {kSignedInt32, "SIGNED_INT32", 4, Signed, kSignedTexels},
    {kUnsignedInt8, "UNSIGNED_INT8", 1, Unsigned, kUnsignedTexels},
    {kUnsignedInt16, "UNSIGNED_INT16", 2, Unsigned, kUnsignedTexels},
    {kUnsignedInt32, "UNSIGNED_INT32", 4, Unsigned, kUnsignedTexels},
    {kHalfFloat, "HALF_FLOAT", 2, Float, kFloatTexels},
    {kFloat, "FLOAT", 4, Float, kFloatTexels},
    {kUnormShort565, "UNORM_SHORT_565", 2, Unsigned, kFloatTexels, true},
    {kUnormShort555, "UNORM_SHORT_555", 2, Unsigned, kFloatTexels, true},
    {kUnormInt101010, "UNORM_INT_101010", 4, Unsigned, kFloatTexels, true},
    {kUnormInt101010_2, "UNORM_INT_101010_2", 4, Unsigned, kFloatTexels, true},
    {kUnormInt2_101010, "UNORM_INT_2_101010_EXT", 4, Unsigned, kFloatTexels, true},
    {kUnormInt24, "UNORM_INT24"}};

bool is_one_of(uint32_t value, std::initializer_list<uint32_t> list) {
    return std::ranges::find(list, value) != list.end();
}

}  // namespace

std::span<const ChannelOrder> channel_orders() { return kChannelOrders; }

const ChannelOrder* find_channel_order(uint32_t channel_order) {
    const auto* it = std::ranges::find(kChannelOrders, channel_order, &ChannelOrder::order);
    return it == std::end(kChannelOrders) ? nullptr : it;
}

const char* channels_of(uint32_t channel_order) {
    const ChannelOrder* const order = find_channel_order(channel_order);
    return order && order->is_supported ? order->letters : nullptr;
}

std::span<const ChannelType> channel_types() { return kChannelTypes; }

const ChannelType* find_channel_type(uint32_t channel_data_type) {
    const auto* it = std::ranges::find(kChannelTypes, channel_data_type, &ChannelType::type);
    return it == std::end(kChannelTypes) ? nullptr : it;
}

uint32_t channel_bytes(uint32_t channel_data_type) {
    const ChannelType* const type = find_channel_type(channel_data_type);
    return type ? type->bytes : 0;
}

bool is_packed(uint32_t channel_data_type) {
    const ChannelType* const type = find_channel_type(channel_data_type);
    return type && type->is_packed;
}

bool goes_together(uint32_t channel_order, uint32_t channel_data_type) {
    if (!channels_of(channel_order) || channel_bytes(channel_data_type) == 0) return false;
    if (channel_data_type == kUnormInt101010_2) return channel_order == kOrderRGBA;
    if (channel_data_type == kUnormInt2_101010) return channel_order == kOrderABGR;
    if (is_packed(channel_data_type) || channel_order == kOrderRGB)
        return is_packed(channel_data_type) && channel_order == kOrderRGB;
    switch (channel_order) {
        case kOrderIntensity:
        case kOrderLuminance:
            return is_one_of(channel_data_type,
                             {kUnormInt8, kUnormInt16, kSnormInt8, kSnormInt16, kHalfFloat, kFloat});
        case kOrderDepth: return is_one_of(channel_data_type, {kUnormInt16, kFloat});
        case kOrderARGB:
        case kOrderBGRA:
        case kOrderABGR: return channel_bytes(channel_data_type) == 1;
        case kOrderSRGBA:
        case kOrderSBGRA: return channel_data_type == kUnormInt8;
        default: return true;
    }
}

uint32_t decoded_bytes(uint32_t channel_order, uint32_t channel_data_type) {
    const ChannelOrder* const order = find_channel_order(channel_order);
    if (!order) return 0;
    const uint32_t bytes = channel_bytes(channel_data_type);
    return is_packed(channel_data_type) ? bytes : static_cast<uint32_t>(std::strlen(order->letters)) * bytes;
}

uint32_t texel_bytes(uint32_t channel_order, uint32_t channel_data_type) {
    return goes_together(channel_order, channel_data_type) ? decoded_bytes(channel_order, channel_data_type)
                                                           : 0;
}

bool has_planes_only(uint32_t channel_order) { return channel_order == kOrderDepth; }

bool fits(uint32_t channel_order, vulkan::ImageShape shape) {
    using enum vulkan::ImageShape;
    return !has_planes_only(channel_order) || shape == Image2D || shape == Image2DArray;
}

vulkan::ImageDescriptor packed_image(uint32_t channel_order, uint32_t channel_data_type,
                                     const ImageSizes& sizes) {
    const uint32_t bytes = decoded_bytes(channel_order, channel_data_type);
    const uint64_t row_bytes = uint64_t{sizes.width} * bytes;
    return {.row_pitch_bytes = row_bytes,
            .slice_pitch_bytes = row_bytes * sizes.height,
            .width = sizes.width,
            .height = sizes.height,
            .depth = sizes.depth,
            .array_size = sizes.layers,
            .channel_order = channel_order,
            .channel_data_type = channel_data_type,
            .element_bytes = bytes};
}

bool are_rows_found(uint64_t row_pitch_bytes, uint64_t rows) {
    return rows <= 1 || row_pitch_bytes <= UINT32_MAX;
}

}  // namespace caldera::runtime
