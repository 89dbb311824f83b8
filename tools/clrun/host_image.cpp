// SPDX-License-Identifier: Apache-2.0
#include "tools/clrun/host_image.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <vector>

namespace caldera::tools {
namespace {

using vulkan::ImageDescriptor;

/// `numbers` is how many numbers give the size. With layers, the last number counts them.
struct ShapeRow {
    std::string_view name;
    uint32_t numbers;
    bool has_layers;
};
constexpr ShapeRow kShapes[] = {
    {"1d", 1, false},       {"1d_buffer", 1, false}, {"1d_array", 2, true},       {"2d", 2, false},
    {"2d_depth", 2, false}, {"2d_array", 3, true},   {"2d_array_depth", 3, true}, {"3d", 3, false}};

/// The API numbers orders from 0x10b0 on.
struct OrderRow {
    std::string_view name;
    uint32_t channels;
};
constexpr OrderRow kOrders[] = {
    {"R", 1},    {"A", 1},     {"RG", 2},    {"RA", 2},        {"RGB", 3},
    {"RGBA", 4}, {"BGRA", 4},  {"ARGB", 4},  {"INTENSITY", 1}, {"LUMINANCE", 1},
    {"Rx", 1},   {"RGx", 2},   {"RGBx", 3},  {"DEPTH", 1},     {"DEPTH_STENCIL", 1},
    {"sRGB", 3}, {"sRGBx", 4}, {"sRGBA", 4}, {"sBGRA", 4},     {"ABGR", 4}};
constexpr uint32_t kFirstOrder = 0x10b0;

/// Data types are numbered from 0x10d0 on. A packed type has all channels in one element.
struct TypeRow {
    std::string_view name;
    Element element;
    bool is_packed = false;
};
constexpr TypeRow kTypes[] = {{"SNORM_INT8", Element::I8},
                              {"SNORM_INT16", Element::I16},
                              {"UNORM_INT8", Element::U8},
                              {"UNORM_INT16", Element::U16},
                              {"UNORM_SHORT_565", Element::U16, true},
                              {"UNORM_SHORT_555", Element::U16, true},
                              {"UNORM_INT_101010", Element::U32, true},
                              {"SIGNED_INT8", Element::I8},
                              {"SIGNED_INT16", Element::I16},
                              {"SIGNED_INT32", Element::I32},
                              {"UNSIGNED_INT8", Element::U8},
                              {"UNSIGNED_INT16", Element::U16},
                              {"UNSIGNED_INT32", Element::U32},
                              {"HALF_FLOAT", Element::F16},
                              {"FLOAT", Element::F32},
                              {"UNORM_INT24", Element::U32, true},
                              {"UNORM_INT_101010_2", Element::U32, true}};
constexpr uint32_t kFirstType = 0x10d0;

template <class Rows>
const auto* find(const Rows& rows, std::string_view name) {
    const auto* row = std::ranges::find(rows, name, [](const auto& each) { return each.name; });
    return row == std::end(rows) ? nullptr : row;
}

}  // namespace

Result<ImageDescriptor> parse_image(std::string_view text) {
    const Error malformed{.message =
                              "an image is written SHAPE:ORDER:TYPE:SIZE, as "
                              "2d:RGBA:UNORM_INT8:16x8, not '" +
                              std::string(text) + "'"};
    const std::vector<std::string_view> parts = split(text, ':');
    if (parts.size() != 4) return malformed;
    const ShapeRow* shape = find(kShapes, parts[0]);
    const OrderRow* order = find(kOrders, parts[1]);
    const TypeRow* type = find(kTypes, parts[2]);
    const std::vector<std::string_view> numbers = split(parts[3], 'x');
    if (!shape || !order || !type || numbers.size() != shape->numbers) return malformed;

    ImageDescriptor image{
        .width = 1,
        .height = 1,
        .depth = 1,
        .array_size = 1,
        .channel_order = kFirstOrder + static_cast<uint32_t>(order - kOrders),
        .channel_data_type = kFirstType + static_cast<uint32_t>(type - kTypes),
        .element_bytes = size_bytes(type->element) * (type->is_packed ? 1 : order->channels)};
    uint32_t* const sizes[] = {&image.width, &image.height, &image.depth};
    for (size_t i = 0; i < numbers.size(); ++i) {
        uint32_t& size = shape->has_layers && i + 1 == numbers.size() ? image.array_size : *sizes[i];
        const auto [end, error] =
            std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), size);
        if (error != std::errc{} || end != numbers[i].data() + numbers[i].size() || size == 0)
            return malformed;
    }
    set_pitches(image, 0, 0);
    return image;
}

void set_pitches(ImageDescriptor& image, uint64_t more_per_row, uint64_t more_per_slice) {
    image.row_pitch_bytes = uint64_t{image.width} * image.element_bytes + more_per_row;
    image.slice_pitch_bytes = image.row_pitch_bytes * image.height + more_per_slice;
}

uint64_t size_bytes(const ImageDescriptor& image) {
    return image.slice_pitch_bytes * image.depth * image.array_size;
}

Element element_of(const ImageDescriptor& image) {
    return kTypes[image.channel_data_type - kFirstType].element;
}

}  // namespace caldera::tools
