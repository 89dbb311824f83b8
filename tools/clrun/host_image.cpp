// SPDX-License-Identifier: Apache-2.0
#include "tools/clrun/host_image.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <vector>

#include "vulkan/runtime/image_format.h"

namespace caldera::tools {
namespace {

using vulkan::ImageDescriptor;
using vulkan::ImageShape;

/// `numbers` is how many numbers give the size. With layers, the last number counts them.
struct ShapeRow {
    std::string_view name;
    uint32_t numbers;
    bool has_layers;
    ImageShape shape;
};
constexpr ShapeRow kShapes[] = {{"1d", 1, false, ImageShape::Image1D},
                                {"1d_buffer", 1, false, ImageShape::Image1D},
                                {"1d_array", 2, true, ImageShape::Image1DArray},
                                {"2d", 2, false, ImageShape::Image2D},
                                {"2d_depth", 2, false, ImageShape::Image2D},
                                {"2d_array", 3, true, ImageShape::Image2DArray},
                                {"2d_array_depth", 3, true, ImageShape::Image2DArray},
                                {"3d", 3, false, ImageShape::Image3D}};

template <class Rows>
const auto* find(const Rows& rows, std::string_view name) {
    const auto row = std::ranges::find(rows, name, [](const auto& each) { return each.name; });
    return row == std::end(rows) ? nullptr : &*row;
}

}  // namespace

Result<ImageDescriptor> parse_image(std::string_view text, ImageFormats formats) {
    const Error malformed{.message =
                              "an image is written SHAPE:ORDER:TYPE:SIZE, as "
                              "2d:RGBA:UNORM_INT8:16x8, not '" +
                              std::string(text) + "'"};
    const std::vector<std::string_view> parts = split(text, ':');
    if (parts.size() != 4) return malformed;
    const ShapeRow* shape = find(kShapes, parts[0]);
    const runtime::ChannelOrder* order = find(runtime::channel_orders(), parts[1]);
    const runtime::ChannelType* type = find(runtime::channel_types(), parts[2]);
    const std::vector<std::string_view> numbers = split(parts[3], 'x');
    if (!shape || !order || !type || numbers.size() != shape->numbers) return malformed;

    const bool is_of_devices = formats == ImageFormats::OfDevices;
    const uint32_t texel_bytes = is_of_devices ? runtime::texel_bytes(order->order, type->type)
                                               : runtime::decoded_bytes(order->order, type->type);
    if (texel_bytes == 0)
        return Error{.message = "no image has channels " + std::string(parts[1]) + " of type " +
                                std::string(parts[2]) + " (OpenCL API, section 5.3.1.1)"};
    if (is_of_devices && shape->name.ends_with("depth") != runtime::has_planes_only(order->order))
        return Error{.message = "images of depths alone, 2d_depth and 2d_array_depth, have channels DEPTH"};
    runtime::ImageSizes sizes;
    uint32_t* const in_order[] = {&sizes.width, &sizes.height, &sizes.depth};
    for (size_t i = 0; i < numbers.size(); ++i) {
        uint32_t& size = shape->has_layers && i + 1 == numbers.size() ? sizes.layers : *in_order[i];
        const auto [end, error] =
            std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), size);
        if (error != std::errc{} || end != numbers[i].data() + numbers[i].size() || size == 0)
            return malformed;
    }
    uint64_t bytes = texel_bytes;
    for (const uint32_t size : {sizes.width, sizes.height, sizes.depth, sizes.layers})
        if (__builtin_mul_overflow(bytes, uint64_t{size}, &bytes) || bytes >> 40 != 0)
            return Error{.message = "an image of " + std::string(parts[3]) + " texels is too large"};
    return runtime::packed_image(order->order, type->type, sizes);
}

Result<Done> check_shape(std::string_view text, const vulkan::KernelArgument& argument) {
    const std::string_view name = text.substr(0, text.find(':'));
    const ShapeRow* given = find(kShapes, name);
    const auto type_of = [](std::string_view shape) { return "image" + std::string(shape) + "_t"; };
    // The type tells images of buffers and of depths apart, unless another compiler's module has a typedef's.
    const auto wanted = std::ranges::find_if(
        kShapes, [&](const ShapeRow& row) { return type_of(row.name) == argument.base_type_name; });
    const bool is_named = wanted != std::end(kShapes);
    if (!given || (is_named ? given == wanted : given->shape == argument.image_shape)) return Done{};
    const auto* of_shape = std::ranges::find(kShapes, argument.image_shape, &ShapeRow::shape);
    if (!is_named && of_shape == std::end(kShapes))
        return Error{.message = "the kernel takes an image with several samples, which clrun does not make"};
    return Error{.message = "the kernel takes an " + type_of((is_named ? wanted : of_shape)->name) +
                            ", not an " + type_of(name)};
}

Result<HostArray> contents_of(const ImageDescriptor& image, std::string_view text) {
    if (!text.empty() && text[0] != ':' && text[0] != '@')
        return Error{.message =
                         "an image's contents are written =:1,2,3 or =:=VALUE, =:range, =:random or =@FILE, "
                         "not '=" +
                         std::string(text) + "'"};
    const Element element = element_of(image);
    const uint64_t count = size_bytes(image) / size_bytes(element);
    const bool is_rule =
        text.empty() || text.starts_with(":=") || text.starts_with(":range") || text.starts_with(":random");
    Result<HostArray> array = parse_array(
        element, is_rule ? "[" + std::to_string(count) + "]" + std::string(text) : std::string(text));
    if (!array) return array;
    const auto numbers = [](uint64_t n, Element of) {
        return std::to_string(n) + " x " + std::string(name(of));
    };
    if (array->element != element || array->count() != count)
        return Error{.message = "the image has " + numbers(count, element) + ", its contents are " +
                                numbers(array->count(), array->element)};
    return array;
}

void set_pitches(ImageDescriptor& image, uint64_t more_per_row, uint64_t more_per_slice) {
    image.row_pitch_bytes = uint64_t{image.width} * image.element_bytes + more_per_row;
    image.slice_pitch_bytes = image.row_pitch_bytes * image.height + more_per_slice;
}

uint64_t size_bytes(const ImageDescriptor& image) {
    return image.slice_pitch_bytes * image.depth * image.array_size;
}

Element element_of(const ImageDescriptor& image) {
    const runtime::ChannelType& type = *runtime::find_channel_type(image.channel_data_type);
    switch (type.bits) {
        case runtime::ChannelBits::Unsigned:
            return type.bytes == 1 ? Element::U8 : type.bytes == 2 ? Element::U16 : Element::U32;
        case runtime::ChannelBits::Signed:
            return type.bytes == 1 ? Element::I8 : type.bytes == 2 ? Element::I16 : Element::I32;
        case runtime::ChannelBits::Float: break;
    }
    return type.bytes == 2 ? Element::F16 : Element::F32;
}

}  // namespace caldera::tools
