// SPDX-License-Identifier: Apache-2.0
// Images and texel buffers of applications.
#include "library/adopted_image.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "spirv/support/try.h"

namespace caldera {
namespace {

using detail::Access, detail::AdoptedView, detail::ArgumentOf;

/// Descriptors have no other layouts (VUID-VkWriteDescriptorSet-descriptorType-04149 and 04152).
constexpr VkImageLayout kBoth[] = {VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR};
constexpr VkImageLayout kReadOnly[] = {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                       VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
                                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
                                       VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
                                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
                                       VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
                                       VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL};

bool serves_all(VkImageLayout layout) { return std::ranges::find(kBoth, layout) != std::end(kBoth); }

/// Before Vulkan 1.3, a device does not tell of formats that modules leave open.
VkFormatProperties3 properties_of(const Device& device, VkFormat format) {
    const runtime::Device& opened = detail::opened(device);
    const vulkan::DeviceProfile& profile = opened.profile();
    const bool tells = profile.api_version_major > 1 || profile.api_version_minor >= 3;
    VkFormatProperties3 all{.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 properties{.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                                   .pNext = tells ? &all : nullptr};
    vkGetPhysicalDeviceFormatProperties2(opened.physical(), format, &properties);
    if (tells) return all;
    constexpr VkFormatFeatureFlags2 kAny = VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
                                           VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    all.linearTilingFeatures = properties.formatProperties.linearTilingFeatures | kAny;
    all.optimalTilingFeatures = properties.formatProperties.optimalTilingFeatures | kAny;
    all.bufferFeatures = properties.formatProperties.bufferFeatures | kAny;
    return all;
}

/// What the application may do with a view, and which features of a format the device needs for that.
struct ViewUse {
    bool reads = false, writes = false;
    VkFormatFeatureFlags2 read_feature = 0, write_feature = 0;
    const char* usages = "";  // their names
};

Result<AdoptedView> make_view(const Device& device, VkFormat format, const ViewUse& use,
                              VkFormatFeatureFlags2 features) {
    if (format == VK_FORMAT_UNDEFINED) return Error{.message = "the format of the view is not stated"};
    if (!use.reads && !use.writes)
        return Error{.message =
                         std::string("no kernel can use the view: its usage has neither ") + use.usages};
    const runtime::ViewFormat shown = runtime::view_format(format);
    if (shown.texel_numbers == 0)
        return Error{.message = "no kernel takes the format " + std::to_string(format) +
                                ", whose channels have 64 bits",
                     .code = VK_ERROR_FORMAT_NOT_SUPPORTED};
    const bool can_be_read = use.reads && (features & use.read_feature),
               can_be_written = use.writes && (features & use.write_feature);
    if (!can_be_read && !can_be_written)
        return Error{.message = "the device does not have the format " + std::to_string(format) +
                                " for images that kernels " + (use.reads ? "read" : "write"),
                     .code = VK_ERROR_FORMAT_NOT_SUPPORTED};
    return AdoptedView{
        .device = device,
        .vulkan = {.channel_order = shown.channel_order, .channel_data_type = shown.channel_data_type},
        .format = format,
        .texel_numbers = shown.texel_numbers,
        .can_be_read = can_be_read,
        .can_be_written = can_be_written,
        .can_be_filtered = (features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0,
        .is_read_openly = (features & VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT) != 0,
        .is_written_openly = (features & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT) != 0};
}

Image image_of(AdoptedView view) {
    ImageOptions options{.shape = view.shape};
    if (view.vulkan.channel_order != 0) options.order = static_cast<ChannelOrder>(view.vulkan.channel_order);
    if (view.vulkan.channel_data_type != 0)
        options.type = static_cast<ChannelType>(view.vulkan.channel_data_type);
    return Access::make<Image>(options, ImageDescriptor{}, Buffer{}, Buffer{}, std::move(view));
}

const char* shape_text(ImageShape shape) {
    switch (shape) {
        case ImageShape::Image1D: return "1D";
        case ImageShape::Image1DArray: return "1D array";
        case ImageShape::Image2D: return "2D";
        case ImageShape::Image2DArray: return "2D array";
        case ImageShape::Image3D: return "3D";
        case ImageShape::Image2DMultisampled: return "2D multisampled";
        case ImageShape::Image2DArrayMultisampled: return "2D array multisampled";
    }
    return "";
}

const char* numbers_text(uint8_t numbers) {
    return numbers == (kFloatTexels | kUnsignedTexels) ? "floats or unsigned integers"
           : numbers & kFloatTexels                    ? "floats"
           : numbers & kSignedTexels                   ? "signed integers"
                                                       : "unsigned integers";
}

}  // namespace

Result<Image> Image::adopt(const Device& device, const AdoptedImage& image) {
    if (!device) return Error{.message = "there is no device to adopt the image for"};
    if (!image.image) return Error{.message = "the image is null"};
    if (!image.view) return Error{.message = "the view of the image is null"};
    TRY(detail::check_shape(image.shape));
    const auto layout = static_cast<VkImageLayout>(image.layout);
    if (!serves_all(layout) && std::ranges::find(kReadOnly, layout) == std::end(kReadOnly))
        return Error{.message =
                         "kernels cannot access an image in the layout " + std::to_string(image.layout)};
    const auto format = static_cast<VkFormat>(image.format);
    const VkFormatProperties3 can = properties_of(device, format);
    Result<AdoptedView> view =
        make_view(device, format,
                  {.reads = (image.usage & VK_IMAGE_USAGE_SAMPLED_BIT) != 0,
                   .writes = (image.usage & VK_IMAGE_USAGE_STORAGE_BIT) != 0,
                   .read_feature = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT,
                   .write_feature = VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT,
                   .usages = "VK_IMAGE_USAGE_SAMPLED_BIT nor VK_IMAGE_USAGE_STORAGE_BIT"},
                  can.optimalTilingFeatures | can.linearTilingFeatures);
    if (!view) return view.error();
    view->image = image.image;
    view->shape = image.shape;
    view->vulkan.view = image.view;
    view->vulkan.layout = layout;
    if (image.order) view->vulkan.channel_order = static_cast<uint32_t>(*image.order);
    return image_of(view.take());
}

Result<Image> Image::adopt(const Device& device, const AdoptedTexelBuffer& texels) {
    if (!device) return Error{.message = "there is no device to adopt the texel buffer for"};
    if (!texels.view) return Error{.message = "the view of the buffer is null"};
    const auto format = static_cast<VkFormat>(texels.format);
    Result<AdoptedView> view = make_view(
        device, format,
        {.reads = (texels.usage & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT) != 0,
         .writes = (texels.usage & VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT) != 0,
         .read_feature = VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT,
         .write_feature = VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT,
         .usages = "VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT nor VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT"},
        properties_of(device, format).bufferFeatures);
    if (!view) return view.error();
    view->vulkan.texels = texels.view;
    return image_of(view.take());
}

namespace detail {

Result<Done> check_shape(ImageShape shape) {
    if (*shape_text(shape) != '\0') return Done{};
    return Error{.message = "there is no such shape of images"};
}

std::string ArgumentOf::text() const {
    return "argument " + std::to_string(index) + " ('" + argument()->name + "') of kernel '" + kernel.name +
           "'";
}

Result<Done> check_view(const AdoptedView& view, const ArgumentOf& of) {
    using enum ArgumentKind;
    const KernelArgument* argument = of.argument();
    if (!argument) return Done{};
    const auto declined = [&](const std::string& why) { return Error{.message = of.text() + " " + why}; };
    if (argument->kind == ArgumentKind::Image)
        return declined(
            "is an image in memory: an adopted one needs a program with ProgramOptions::images = "
            "Images::Hardware");
    const bool is_buffer = argument->kind == UniformTexelBuffer || argument->kind == StorageTexelBuffer;
    const bool is_image = argument->kind == SampledImage || argument->kind == StorageImage;
    if (!is_buffer && !is_image) return Done{};
    if (is_buffer && view.image) return declined("is an image1d_buffer_t, and the image is no texel buffer");
    if (is_image && !view.image)
        return declined(std::string("is a ") + shape_text(argument->image_shape) +
                        " image, and the image is a texel buffer");
    if (is_image && view.shape != argument->image_shape)
        return declined(std::string("is a ") + shape_text(argument->image_shape) +
                        " image, and the view is " + shape_text(view.shape));
    const bool is_read = argument->kind == SampledImage || argument->kind == UniformTexelBuffer;
    if (is_read ? !view.can_be_read : !view.can_be_written)
        return declined(std::string("is ") + (is_read ? "read_only" : "written") +
                        ", and the image's usage or format does not allow that");
    if (!is_read && view.image && !serves_all(view.vulkan.layout))
        return declined("is written, and the image is in a layout that is for reading");
    if (!runtime::gives_numbers(view.texel_numbers, argument->texel_numbers, argument->has_open_signs))
        return declined(std::string("has texels of ") + numbers_text(argument->texel_numbers) +
                        ", and the view's format those of " + numbers_text(view.texel_numbers));
    if (argument->image_format.empty()) {
        const bool is_open =
            is_read || (view.is_written_openly &&
                        (argument->access == ArgumentAccess::WriteOnly || view.is_read_openly));
        return is_open ? Result<Done>(Done{})
                       : declined(
                             "is written, and the device wants the view's format in the module "
                             "(TranslateOptions::storage_formats)");
    }
    const std::optional<VkFormat> fixed = runtime::storage_format_named(argument->image_format);
    if (fixed && *fixed != view.format)
        return declined("has the format " + argument->image_format + ", and the view another one");
    return Done{};
}

namespace {

bool filters(uint32_t bits) { return (bits & (kSamplerLinear | kSamplerLinearLevels)) != 0; }

Error cannot_filter(const AdoptedView& view, const ArgumentOf& image, const std::string& sampler) {
    return {.message = image.text() + " is read with " + sampler +
                       ", which has a linear filter, and the device does not filter the view's format " +
                       std::to_string(view.format)};
}

}  // namespace

Result<Done> check_literals(const AdoptedView& view, const ArgumentOf& of) {
    const KernelArgument* argument = of.argument();
    if (!argument || view.can_be_filtered) return Done{};
    for (const ImageSampling& sampling : of.kernel.samplings)
        if (sampling.image == of.index && sampling.sampler == kNoArgument && filters(sampling.literal_bits) &&
            runtime::gives_numbers(view.texel_numbers, sampling.texel_numbers, argument->has_open_signs))
            return cannot_filter(
                view, of, "a sampler of the source with the bits " + std::to_string(sampling.literal_bits));
    return Done{};
}

Result<Done> check_sampler(uint32_t bits, const ArgumentOf& of) {
    if (!filters(bits)) return Done{};
    for (const ImageSampling& sampling : of.kernel.samplings)
        if (sampling.sampler == of.index && !(sampling.texel_numbers & kFloatTexels))
            return Error{.message = of.text() + " has a linear filter, and the kernel reads " +
                                    numbers_text(sampling.texel_numbers) + " of " +
                                    ArgumentOf{of.kernel, sampling.image}.text() +
                                    " with it, which no device filters"};
    return Done{};
}

Result<Done> check_samplings(const KernelInterface& kernel, std::span<const Kept> arguments,
                             const std::map<uint32_t, uint32_t>& samplers) {
    for (const ImageSampling& sampling : kernel.samplings) {
        const auto bits = samplers.find(sampling.sampler);
        if (bits == samplers.end() || !filters(bits->second) || !arguments[sampling.image]) continue;
        const std::optional<AdoptedView>& view = Access::image_of(arguments[sampling.image]).view;
        if (view && !view->can_be_filtered &&
            runtime::gives_numbers(view->texel_numbers, sampling.texel_numbers,
                                   kernel.arguments[sampling.image].has_open_signs))
            return cannot_filter(*view, {kernel, sampling.image},
                                 ArgumentOf{kernel, sampling.sampler}.text());
    }
    return Done{};
}

Result<Done> check_memory(const ImageOptions& image, const ArgumentOf& of) {
    const KernelArgument* argument = of.argument();
    if (!argument || argument->kind == ArgumentKind::SamplerObject) return Done{};
    if (is_vulkan_image(argument->kind))
        return Error{.message = of.text() + " is an image of Vulkan's, which Image::adopt() makes"};
    if (argument->kind != ArgumentKind::Image) return Done{};
    if (argument->image_shape != image.shape)
        return Error{.message = of.text() + " is a " + shape_text(argument->image_shape) +
                                " image, and the image is " + shape_text(image.shape)};
    // In the reflection the name alone tells images of depths from others. Modules need not have it.
    const std::string_view type = argument->base_type_name;
    if (!type.starts_with("image2d_") || type.ends_with("_depth_t") == (image.order == ChannelOrder::Depth))
        return Done{};
    return Error{.message = of.text() + " is an " + std::string(type) + ", and the image " +
                            (image.order == ChannelOrder::Depth ? "has depths" : "has none")};
}

}  // namespace detail
}  // namespace caldera
