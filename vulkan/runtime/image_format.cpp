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
constexpr ChannelOrder kChannelOrders[] = {
    {kOrderR, "r"},        {kOrderA, "a"},         {kOrderRG, "rg"},       {kOrderRA, "ra"},
    {kOrderRGB, "rgb"},    {kOrderRGBA, "rgba"},   {kOrderBGRA, "bgra"},   {kOrderARGB, "argb"},
    {kOrderABGR, "abgr"},  {kOrderIntensity, "r"}, {kOrderLuminance, "r"}, {kOrderDepth, "r"},
    {kOrderSRGBA, "rgba"}, {kOrderSBGRA, "bgra"}};

bool is_one_of(uint32_t value, std::initializer_list<uint32_t> list) {
    return std::ranges::find(list, value) != list.end();
}

}  // namespace

std::span<const ChannelOrder> channel_orders() { return kChannelOrders; }

const char* channels_of(uint32_t channel_order) {
    const auto* it = std::ranges::find(kChannelOrders, channel_order, &ChannelOrder::order);
    return it == std::end(kChannelOrders) ? nullptr : it->letters;
}

uint32_t channel_bytes(uint32_t channel_data_type) {
    switch (channel_data_type) {
        case kSnormInt8:
        case kUnormInt8:
        case kSignedInt8:
        case kUnsignedInt8: return 1;
        case kSnormInt16:
        case kUnormInt16:
        case kSignedInt16:
        case kUnsignedInt16:
        case kHalfFloat:
        case kUnormShort565:
        case kUnormShort555: return 2;
        case kSignedInt32:
        case kUnsignedInt32:
        case kFloat:
        case kUnormInt101010:
        case kUnormInt101010_2: return 4;
        default: return 0;
    }
}

bool is_packed(uint32_t channel_data_type) {
    return is_one_of(channel_data_type, {kUnormShort565, kUnormShort555, kUnormInt101010, kUnormInt101010_2});
}

bool goes_together(uint32_t channel_order, uint32_t channel_data_type) {
    if (!channels_of(channel_order) || channel_bytes(channel_data_type) == 0) return false;
    if (channel_data_type == kUnormInt101010_2) return channel_order == kOrderRGBA;
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

uint32_t texel_bytes(uint32_t channel_order, uint32_t channel_data_type) {
    if (!goes_together(channel_order, channel_data_type)) return 0;
    const uint32_t bytes = channel_bytes(channel_data_type);
    if (is_packed(channel_data_type)) return bytes;
    return static_cast<uint32_t>(std::strlen(channels_of(channel_order))) * bytes;
}

bool has_planes_only(uint32_t channel_order) { return channel_order == kOrderDepth; }

}  // namespace caldera::runtime
