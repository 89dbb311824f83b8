// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/image_format.h"

#include <CL/cl_half.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "spirv/support/floats.h"
#include "vulkan/icd/newer_names.h"
#include "vulkan/icd/value_at.h"
#include "vulkan/runtime/image_format.h"

namespace caldera::icd {
namespace {

using runtime::channel_bytes, runtime::channels_of, runtime::goes_together, runtime::is_packed;

bool is_one_of(cl_uint value, std::initializer_list<cl_uint> list) {
    return std::ranges::find(list, value) != list.end();
}
bool is_srgb(cl_channel_order order) { return is_one_of(order, {CL_sRGBA, CL_sBGRA}); }

/// Multiplies in float, as kernels do (OpenCL C 3.0 8.3.1), then rounds to nearest even. NaN becomes 0.
int64_t scaled(float value, float scale, double least, double most) {
    if (std::isnan(value)) return 0;
    const float product = value * scale;
    return static_cast<int64_t>(round_even(std::clamp<double>(product, least, most)));
}

template <class T>
void put(std::vector<std::byte>& out, T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    out.insert(out.end(), bytes, bytes + sizeof value);
}

template <class T>
T normalized(float value) {
    constexpr float kMost = std::numeric_limits<T>::max();
    return static_cast<T>(scaled(value, kMost, std::is_signed_v<T> ? -kMost - 1 : 0, kMost));
}
/// Clamps values that are out of range.
template <class T, class From>
T saturated(From value) {
    constexpr auto kLeast = static_cast<int64_t>(std::numeric_limits<T>::min());
    constexpr auto kMost = static_cast<int64_t>(std::numeric_limits<T>::max());
    return static_cast<T>(std::clamp(static_cast<int64_t>(value), kLeast, kMost));
}

/// OpenCL C 3.0 8.3.2.2
float to_srgb(float c) {
    if (std::isnan(c) || c < 0) return 0;
    if (c > 1) return 1;
    return c < 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1.0f / 2.4f) - 0.055f;
}

void put_channel(std::vector<std::byte>& out, cl_channel_type type, const void* color, size_t component) {
    const float f = value_at<float>(color, component);
    const cl_int i = value_at<cl_int>(color, component);
    const cl_uint u = value_at<cl_uint>(color, component);
    switch (type) {
        case CL_UNORM_INT8: return put(out, normalized<cl_uchar>(f));
        case CL_UNORM_INT16: return put(out, normalized<cl_ushort>(f));
        case CL_SNORM_INT8: return put(out, normalized<cl_char>(f));
        case CL_SNORM_INT16: return put(out, normalized<cl_short>(f));
        case CL_SIGNED_INT8: return put(out, saturated<cl_char>(i));
        case CL_SIGNED_INT16: return put(out, saturated<cl_short>(i));
        case CL_SIGNED_INT32: return put(out, i);
        case CL_UNSIGNED_INT8: return put(out, saturated<cl_uchar>(u));
        case CL_UNSIGNED_INT16: return put(out, saturated<cl_ushort>(u));
        case CL_UNSIGNED_INT32: return put(out, u);
        case CL_HALF_FLOAT: return put(out, cl_half_from_float(f, CL_HALF_RTE));
        default: return put(out, f);
    }
}

constexpr TexelGroup kRaw10 = {.texels = 4, .bytes = 5}, kRaw12 = {.texels = 2, .bytes = 3};

/// A byte with the highest bits of each texel, then one with the lowest bits of all.
std::vector<std::byte> raw_texels(const TexelGroup& group, cl_uint value) {
    const size_t low_bits = 8 / group.texels;
    value = std::min(value, (1u << (8 + low_bits)) - 1);
    std::vector<std::byte> out(group.bytes, static_cast<std::byte>(value >> low_bits));
    cl_uint lowest = 0;
    for (size_t i = 0; i < group.texels; ++i) lowest |= (value & ((1u << low_bits) - 1)) << low_bits * i;
    out.back() = static_cast<std::byte>(lowest);
    return out;
}

/// The bits of red, green, blue and alpha in a packed type, from the lowest bit.
struct Field {
    unsigned shift, bits;
};
std::array<Field, 4> fields_of(cl_channel_type type) {
    switch (type) {
        case CL_UNORM_SHORT_565: return {{{11, 5}, {5, 6}, {0, 5}, {0, 0}}};
        case CL_UNORM_SHORT_555: return {{{10, 5}, {5, 5}, {0, 5}, {0, 0}}};
        case CL_UNORM_INT_101010: return {{{20, 10}, {10, 10}, {0, 10}, {0, 0}}};
        case CL_UNORM_INT_2_101010_EXT: return {{{0, 10}, {10, 10}, {20, 10}, {30, 2}}};
        default: return {{{22, 10}, {12, 10}, {2, 10}, {0, 2}}};
    }
}

}  // namespace

bool is_raw(const cl_image_format& format) {
    return format.image_channel_order == CL_R &&
           is_one_of(format.image_channel_data_type, {CL_UNSIGNED_INT_RAW10_EXT, CL_UNSIGNED_INT_RAW12_EXT});
}

bool is_valid(const cl_image_format& format) {
    if (is_raw(format)) return true;
    const cl_channel_type type = format.image_channel_data_type;
    cl_channel_order order = format.image_channel_order;
    for (const auto& [with_x, without] : {std::pair{CL_Rx, CL_R}, {CL_RGx, CL_RG}, {CL_RGBx, CL_RGB}})
        if (order == static_cast<cl_channel_order>(with_x)) order = without;
    if (order == CL_DEPTH_STENCIL) return is_one_of(type, {CL_UNORM_INT24, CL_FLOAT});
    if (is_one_of(order, {CL_sRGB, CL_sRGBx})) return type == CL_UNORM_INT8;
    return goes_together(order, type);
}

bool may_be_seen_as(const cl_image_format& format, const cl_image_format& wanted) {
    if (format.image_channel_data_type != wanted.image_channel_data_type) return false;
    // OpenCL API 5.3.1.2, table of compatible channel orders.
    constexpr std::pair<cl_channel_order, cl_channel_order> kCompatible[] = {
        {CL_sRGBA, CL_RGBA}, {CL_sBGRA, CL_BGRA}, {CL_RGBA, CL_sRGBA}, {CL_BGRA, CL_sBGRA}, {CL_R, CL_DEPTH}};
    const std::pair orders(format.image_channel_order, wanted.image_channel_order);
    return std::ranges::find(kCompatible, orders) != std::end(kCompatible);
}

vulkan::ImageShape shape_of(cl_mem_object_type type) {
    switch (type) {
        case CL_MEM_OBJECT_IMAGE1D_ARRAY: return vulkan::ImageShape::Image1DArray;
        case CL_MEM_OBJECT_IMAGE2D: return vulkan::ImageShape::Image2D;
        case CL_MEM_OBJECT_IMAGE2D_ARRAY: return vulkan::ImageShape::Image2DArray;
        case CL_MEM_OBJECT_IMAGE3D: return vulkan::ImageShape::Image3D;
        default: return vulkan::ImageShape::Image1D;
    }
}

bool fits(const cl_image_format& format, cl_mem_object_type type) {
    return runtime::fits(format.image_channel_order, shape_of(type));
}

TexelGroup texel_group(const cl_image_format& format) {
    if (is_raw(format)) return format.image_channel_data_type == CL_UNSIGNED_INT_RAW10_EXT ? kRaw10 : kRaw12;
    return {.bytes = runtime::texel_bytes(format.image_channel_order, format.image_channel_data_type)};
}

std::vector<cl_image_format> supported_formats(bool also_written) {
    std::vector<cl_image_format> out;
    for (const runtime::ChannelOrder& order : runtime::channel_orders())
        for (const runtime::ChannelType& type : runtime::channel_types())
            if (goes_together(order.order, type.type) && !(also_written && is_srgb(order.order)))
                out.push_back({order.order, type.type});
    if (!also_written)
        for (const cl_channel_type type : {CL_UNSIGNED_INT_RAW10_EXT, CL_UNSIGNED_INT_RAW12_EXT})
            out.push_back({CL_R, type});
    return out;
}

size_t color_bytes(const cl_image_format& format) {
    return (format.image_channel_order == CL_DEPTH ? 1 : 4) * sizeof(cl_float);
}

std::vector<std::byte> encode(const cl_image_format& format, const void* color) {
    const cl_channel_type type = format.image_channel_data_type;
    std::vector<std::byte> out;
    if (is_raw(format)) return raw_texels(texel_group(format), value_at<cl_uint>(color, 0));
    if (is_packed(type)) {
        uint32_t word = 0;
        for (size_t c = 0; c < 4; ++c) {
            const Field field = fields_of(type)[c];
            const auto most = static_cast<float>((1u << field.bits) - 1);
            word |= static_cast<uint32_t>(scaled(value_at<float>(color, c), most, 0, most)) << field.shift;
        }
        if (channel_bytes(type) == 2)
            put(out, static_cast<cl_ushort>(word));
        else
            put(out, word);
        return out;
    }
    std::array<float, 4> linear = {};
    if (is_srgb(format.image_channel_order)) {
        linear = value_at<std::array<float, 4>>(color);
        for (size_t c = 0; c < 3; ++c) linear[c] = to_srgb(linear[c]);
        color = linear.data();
    }
    for (const char* c = channels_of(format.image_channel_order); *c; ++c)
        put_channel(out, type, color, std::string_view("rgba").find(*c));
    return out;
}

}  // namespace caldera::icd
