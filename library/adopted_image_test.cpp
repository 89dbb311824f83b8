// SPDX-License-Identifier: Apache-2.0
// Images and texel buffers of applications, under validation and synchronisation validation.
#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <span>

#include "library/application_fixture.h"
#include "library/write_samples.h"

using namespace caldera;

namespace {

constexpr VkImageUsageFlags kSampled = VK_IMAGE_USAGE_SAMPLED_BIT, kStored = VK_IMAGE_USAGE_STORAGE_BIT;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL,
                        kReadOnly = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

VkImageType image_type(ImageShape shape) {
    switch (shape) {
        case ImageShape::Image1D:
        case ImageShape::Image1DArray: return VK_IMAGE_TYPE_1D;
        case ImageShape::Image2D:
        case ImageShape::Image2DMultisampled:
        case ImageShape::Image2DArrayMultisampled:
        case ImageShape::Image2DArray: return VK_IMAGE_TYPE_2D;
        case ImageShape::Image3D: break;
    }
    return VK_IMAGE_TYPE_3D;
}
VkImageViewType view_type(ImageShape shape) {
    switch (shape) {
        case ImageShape::Image1D: return VK_IMAGE_VIEW_TYPE_1D;
        case ImageShape::Image1DArray: return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
        case ImageShape::Image2DMultisampled:
        case ImageShape::Image2D: return VK_IMAGE_VIEW_TYPE_2D;
        case ImageShape::Image2DArrayMultisampled:
        case ImageShape::Image2DArray: return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        case ImageShape::Image3D: break;
    }
    return VK_IMAGE_VIEW_TYPE_3D;
}

VkImageAspectFlags aspects(VkFormat format) {
    switch (format) {
        case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
        case VK_FORMAT_D24_UNORM_S8_UINT:
        case VK_FORMAT_D32_SFLOAT_S8_UINT: return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
        default: return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

/// An image of the application with texels of 4 bytes, and a view of all of it. It must die before the
/// device.
class ApplicationImage {
 public:
    ApplicationImage(const Application& application, ImageShape shape, VkFormat format, VkExtent3D extent,
                     uint32_t layers, VkImageUsageFlags usage, uint32_t levels = 1,
                     VkImageAspectFlags viewed = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_COLOR_BIT)
        : application_(application), shape_(shape), format_(format), extent_(extent), usage_(usage) {
        whole_.layerCount = layers;
        whole_.levelCount = levels;
        whole_.aspectMask = aspects(format);
        const VkImageCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .imageType = image_type(shape),
            .format = format,
            .extent = extent,
            .mipLevels = levels,
            .arrayLayers = layers,
            .samples = is_multisampled(shape) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
            .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
        VkDevice device = application.device();
        REQUIRE(vkCreateImage(device, &info, nullptr, &image_) == VK_SUCCESS);
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(device, image_, &needs);
        uint32_t type = 0;
        while (!(needs.memoryTypeBits >> type & 1)) ++type;
        const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                              .allocationSize = needs.size,
                                              .memoryTypeIndex = type};
        REQUIRE(vkAllocateMemory(device, &allocation, nullptr, &memory_) == VK_SUCCESS);
        REQUIRE(vkBindImageMemory(device, image_, memory_, 0) == VK_SUCCESS);
        VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   .image = image_,
                                   .viewType = view_type(shape),
                                   .format = format,
                                   .subresourceRange = whole_};
        view.subresourceRange.aspectMask &= viewed;
        REQUIRE(vkCreateImageView(device, &view, nullptr, &view_) == VK_SUCCESS);
    }
    ~ApplicationImage() {
        vkDestroyImageView(application_.device(), view_, nullptr);
        vkDestroyImage(application_.device(), image_, nullptr);
        vkFreeMemory(application_.device(), memory_, nullptr);
    }
    ApplicationImage(const ApplicationImage&) = delete;
    ApplicationImage& operator=(const ApplicationImage&) = delete;

    AdoptedImage adopted(VkImageLayout layout = kGeneral) const {
        return {.image = image_,
                .view = view_,
                .layout = static_cast<uint32_t>(layout),
                .format = static_cast<uint32_t>(format_),
                .usage = usage_,
                .shape = shape_};
    }
    size_t texels() const {
        return size_t{extent_.width} * extent_.height * extent_.depth * whole_.layerCount;
    }
    VkImage vk() const { return image_; }

    /// Clears each level of each layer to a number of its own, 10 * layer + level + 1, as floats.
    void clear_levels() {
        VkCommandBuffer commands = application_.begin();
        order(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED,
              VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        for (uint32_t layer = 0; layer < whole_.layerCount; ++layer)
            for (uint32_t level = 0; level < whole_.levelCount; ++level)
                clear(commands, {whole_.aspectMask, level, 1, layer, 1}, 10 * layer + level + 1);
        order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
              VK_ACCESS_SHADER_READ_BIT, kGeneral);
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        application_.submit(commands);
    }

    /// Gives each sample of each layer of a multisampled image a number of its own.
    template <class Number>
    void write_samples(Number number) {
        clear_levels();
        caldera::write_samples(application_,
                               {image_, format_, {extent_.width, extent_.height}, whole_.layerCount}, number);
    }

    /// Fills the image, and leaves it in a layout.
    void write(const std::vector<uint32_t>& words, VkImageLayout layout = kGeneral) {
        REQUIRE(words.size() == texels());
        ApplicationBuffer bytes(application_, words.size() * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
        std::ranges::copy(words, bytes.words);
        VkCommandBuffer commands = application_.begin();
        order(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED,
              VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        const VkBufferImageCopy copy = whole_copy();
        vkCmdCopyBufferToImage(commands, bytes.vk(), image_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
        order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
              VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, layout);
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        application_.submit(commands);
    }
    /// The texels of an image whose layout is VK_IMAGE_LAYOUT_GENERAL.
    std::vector<uint32_t> read() {
        ApplicationBuffer bytes(application_, texels() * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        VkCommandBuffer commands = application_.begin();
        order(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, kGeneral,
              VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, kGeneral);
        const VkBufferImageCopy copy = whole_copy();
        vkCmdCopyImageToBuffer(commands, image_, kGeneral, bytes.vk(), 1, &copy);
        Application::barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        application_.submit(commands);
        return {bytes.words, bytes.words + texels()};
    }
    void order(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags from_access,
               VkImageLayout from_layout, VkPipelineStageFlags to, VkAccessFlags to_access,
               VkImageLayout to_layout) const {
        const VkImageMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                           .srcAccessMask = from_access,
                                           .dstAccessMask = to_access,
                                           .oldLayout = from_layout,
                                           .newLayout = to_layout,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .image = image_,
                                           .subresourceRange = whole_};
        vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    }

 private:
    void clear(VkCommandBuffer commands, const VkImageSubresourceRange& part, uint32_t number) const {
        const auto value = static_cast<float>(number);
        VkClearColorValue color{};
        switch (format_) {
            case VK_FORMAT_R32_UINT: color.uint32[0] = number; break;
            case VK_FORMAT_R32_SINT: color.int32[0] = -static_cast<int32_t>(number); break;
            default: color.float32[0] = value; break;
        }
        const VkClearDepthStencilValue depth{.depth = value / 128, .stencil = number};
        if (whole_.aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT)
            vkCmdClearDepthStencilImage(commands, image_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &depth, 1,
                                        &part);
        else
            vkCmdClearColorImage(commands, image_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &part);
    }
    VkBufferImageCopy whole_copy() const {
        return {.imageSubresource = {whole_.aspectMask, 0, 0, whole_.layerCount}, .imageExtent = extent_};
    }

    const Application& application_;
    const ImageShape shape_;
    const VkFormat format_;
    const VkExtent3D extent_;
    const VkImageUsageFlags usage_;
    VkImageSubresourceRange whole_ = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImage image_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
};

/// A buffer with a view of texels of 4 bytes.
class ApplicationTexels : public ApplicationBuffer {
 public:
    ApplicationTexels(const Application& application, uint32_t texels, VkFormat format,
                      VkBufferUsageFlags usage)
        : ApplicationBuffer(application, uint64_t{texels} * 4, usage),
          device_(application.device()),
          format_(format),
          usage_(usage) {
        const VkBufferViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                          .buffer = vk(),
                                          .format = format,
                                          .range = VK_WHOLE_SIZE};
        REQUIRE(vkCreateBufferView(device_, &info, nullptr, &view_) == VK_SUCCESS);
    }
    ~ApplicationTexels() { vkDestroyBufferView(device_, view_, nullptr); }

    AdoptedTexelBuffer adopted() const {
        return {.view = view_, .format = static_cast<uint32_t>(format_), .usage = usage_};
    }

 private:
    const VkDevice device_;
    const VkFormat format_;
    const VkBufferUsageFlags usage_;
    VkBufferView view_ = VK_NULL_HANDLE;
};

constexpr const char* kShapes = R"(
    constant sampler_t at_texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void line(read_only image1d_t from, write_only image1d_t to) {
        int x = get_global_id(0);
        write_imageui(to, x, read_imageui(from, at_texel, get_image_width(from) - 1 - x) + 1);
    }
    kernel void lines(read_only image1d_array_t from, write_only image1d_array_t to) {
        int2 at = {get_global_id(0), get_global_id(1)};
        write_imageui(to, at, read_imageui(from, at_texel, at) + (uint)get_image_array_size(from));
    }
    kernel void plane(read_only image2d_t from, write_only image2d_t to) {
        int2 at = {get_global_id(0), get_global_id(1)};
        write_imageui(to, at, read_imageui(from, at_texel, at.yx) + 1);
    }
    kernel void planes(read_only image2d_array_t from, write_only image2d_array_t to) {
        int4 at = {get_global_id(0), get_global_id(1), get_global_id(2), 0};
        write_imageui(to, at, read_imageui(from, at_texel, at) + 1);
    }
    kernel void space(read_only image3d_t from, global uint *to) {
        int4 at = {get_global_id(0), get_global_id(1), get_global_id(2), 0};
        int4 size = get_image_dim(from);
        to[(at.z * size.y + at.y) * size.x + at.x] = read_imageui(from, at_texel, at).x + 1;
    }
    kernel void buffers(read_only image1d_buffer_t from, write_only image1d_buffer_t to) {
        int x = get_global_id(0);
        write_imageui(to, x, read_imageui(from, get_image_width(from) - 1 - x) + 1);
    }
    kernel void integers(read_only image2d_t from, global int *to) { to[0] = read_imagei(from, (int2)(0, 0)).x; }
    kernel void width(read_only image2d_t image, global int *to) { to[0] = get_image_width(image); }
    kernel void width_and_texel(read_only image2d_t image, global int *to) {
        to[0] = get_image_width(image) + read_imagei(image, (int2)(0, 0)).x;
    }
    kernel void asks(read_only image2d_t image, read_only image2d_t other, global int *to) {
        to[0] = get_image_channel_order(image); to[1] = get_image_channel_data_type(image);
        to[2] = get_image_width(image); to[3] = get_image_height(image);
        to[4] = get_image_channel_order(other); to[5] = get_image_channel_data_type(other);
    }
)";
constexpr const char* kSamples = R"(
    kernel void sample(read_only image2d_t from, sampler_t how, float2 at, global float4 *to) {
        to[0] = read_imagef(from, how, at);
    }
    kernel void sample_3d(read_only image3d_t from, sampler_t how, float4 at, global float4 *to) {
        to[0] = read_imagef(from, how, at);
    }
    kernel void blur(read_only image2d_t from, sampler_t how, write_only image2d_t to) {
        int2 at = {get_global_id(0), get_global_id(1)};
        write_imagef(to, at, read_imagef(from, how, (convert_float2(at) + 1) / convert_float2(get_image_dim(from))));
    }
    kernel void stencil(read_only image2d_t from, global uint *to) { to[0] = read_imageui(from, (int2)(1, 0)).x; }
    kernel void depth(read_only image2d_depth_t from, global float *to) { to[0] = read_imagef(from, (int2)(1, 0)); }
)";

constexpr const char* kBrighter = R"(
    kernel void brighter(read_write image2d_t image) {
        int2 at = {get_global_id(0), get_global_id(1)};
        write_imagef(image, at, read_imagef(image, at) * 2);
    }
)";

/// A device of the application with all features.
struct Adopted {
    Adopted() {
        application.make_device(must(all_features(application.physical())));
        device = application.adopt();
        queue = must(Queue::create(device));
    }
    Adopted(const Adopted&) = delete;
    Kernel kernel(const char* source, const char* name, std::optional<Abi> abi = {},
                  const char* options = "-cl-std=CL2.0") {
        const ProgramResult built =
            Program::build(device, std::string_view(source), "test.cl",
                           {.compile = {.options = options}, .abi = abi, .images = Images::Hardware});
        REQUIRE_MESSAGE(built, built.log);
        return must(Kernel::create(built.program, name));
    }
    void run(const Kernel& kernel, std::array<uint64_t, 3> global = {1, 1, 1}) {
        must(queue.dispatch(kernel, {.dimensions = 3, .global = global}));
        must(queue.finish());
    }
    template <class T>
    std::vector<T> read(const Buffer& buffer) {
        std::vector<T> out(buffer.size_bytes() / sizeof(T));
        must(queue.read(buffer, out));
        return out;
    }

    Application application = Application();
    Device device = {};
    Queue queue = {};
};

std::vector<uint32_t> counting(size_t count) {
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 7u);
    return numbers;
}

}  // namespace

TEST_CASE("kernels read and write images of each shape") {
    Adopted adopted;
    struct Case {
        const char* kernel;
        ImageShape shape;
        VkExtent3D extent;
        uint32_t layers;
    };
    for (const Case& each : {Case{"line", ImageShape::Image1D, {5, 1, 1}, 1},
                             Case{"lines", ImageShape::Image1DArray, {5, 1, 1}, 3},
                             Case{"plane", ImageShape::Image2D, {4, 4, 1}, 1},
                             Case{"planes", ImageShape::Image2DArray, {3, 2, 1}, 4}})
        for (const std::optional<Abi> abi : {std::optional<Abi>(), std::optional(Abi::Descriptors)}) {
            CAPTURE(each.kernel);
            Kernel kernel = adopted.kernel(kShapes, each.kernel, abi);
            ApplicationImage from(adopted.application, each.shape, VK_FORMAT_R32_UINT, each.extent,
                                  each.layers, kSampled),
                to(adopted.application, each.shape, VK_FORMAT_R32_UINT, each.extent, each.layers, kStored);
            const std::vector<uint32_t> numbers = counting(from.texels());
            from.write(numbers, kReadOnly);
            to.write(std::vector<uint32_t>(to.texels()));
            must(kernel.set_all(must(Image::adopt(adopted.device, from.adopted(kReadOnly))),
                                must(Image::adopt(adopted.device, to.adopted()))));
            const bool is_lines = each.shape == ImageShape::Image1DArray;
            adopted.run(kernel, {each.extent.width, is_lines ? each.layers : each.extent.height,
                                 is_lines ? 1 : each.layers});
            std::vector<uint32_t> wanted = numbers;
            for (uint32_t& number : wanted) number += is_lines ? each.layers : 1;
            if (each.shape == ImageShape::Image1D) std::ranges::reverse(wanted);
            if (each.shape == ImageShape::Image2D)
                for (uint32_t y = 0; y < 4; ++y)
                    for (uint32_t x = 0; x < y; ++x) std::swap(wanted[y * 4 + x], wanted[x * 4 + y]);
            CHECK(to.read() == wanted);
        }
}

TEST_CASE("kernels read images of three dimensions, and texel buffers") {
    Adopted adopted;
    Kernel space = adopted.kernel(kShapes, "space");
    ApplicationImage image(adopted.application, ImageShape::Image3D, VK_FORMAT_R32_UINT, {3, 2, 4}, 1,
                           kSampled);
    image.write(counting(24));
    const Buffer out = must(Buffer::create(adopted.device, 96));
    must(space.set_all(must(Image::adopt(adopted.device, image.adopted())), out));
    adopted.run(space, {3, 2, 4});
    std::vector<uint32_t> wanted = counting(24);
    for (uint32_t& number : wanted) ++number;
    CHECK(adopted.read<uint32_t>(out) == wanted);

    Kernel buffers = adopted.kernel(kShapes, "buffers");
    ApplicationTexels from(adopted.application, 24, VK_FORMAT_R32_UINT,
                           VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT),
        to(adopted.application, 24, VK_FORMAT_R32_UINT, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
    std::ranges::copy(counting(24), from.words);
    must(buffers.set(0, must(Image::adopt(adopted.device, from.adopted()))));
    if (const Result<Done> set = buffers.set(1, must(Image::adopt(adopted.device, to.adopted()))); !set) {
        CHECK(fails_with(set, "the device wants the view's format in the module"));  // SwiftShader does
        return;
    }
    CHECK(image_access(buffers).empty());
    adopted.run(buffers, {24, 1, 1});
    std::ranges::reverse(wanted);
    CHECK(std::vector<uint32_t>(to.words, to.words + 24) == wanted);
}

TEST_CASE("samplers of kernels, also those that Vulkan does not have") {
    Adopted adopted;
    ApplicationImage image(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {2, 2, 1}, 1,
                           kSampled),
        cube(adopted.application, ImageShape::Image3D, VK_FORMAT_R32_SFLOAT, {2, 2, 2}, 1, kSampled);
    std::vector<uint32_t> texels;
    for (const float value : {1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f})
        texels.push_back(std::bit_cast<uint32_t>(value));
    image.write({texels.begin(), texels.begin() + 4});
    cube.write(texels);
    const Image flat = must(Image::adopt(adopted.device, image.adopted())),
                solid = must(Image::adopt(adopted.device, cube.adopted()));
    Kernel sample = adopted.kernel(kSamples, "sample"), sample_3d = adopted.kernel(kSamples, "sample_3d");
    const Buffer out = must(Buffer::create(adopted.device, 16));
    const auto at = [&](const Sampler& sampler, float x, float y) {
        must(sample.set_all(flat, sampler, std::array{x, y}, out));
        adopted.run(sample);
        return adopted.read<float>(out)[0];
    };
    const auto in = [&](const Sampler& sampler, float x, float y, float z) {
        must(sample_3d.set_all(solid, sampler, std::array{x, y, z, 0.f}, out));
        adopted.run(sample_3d);
        return adopted.read<float>(out)[0];
    };
    using enum AddressingMode;
    CHECK(at({}, 1.5f, 0.5f) == 2);
    CHECK(at({.addressing = Clamp}, 2.5f, 0.5f) == 0);
    CHECK(at({.addressing = ClampToEdge}, 2.5f, 9) == 4);
    CHECK(at({.linear = true}, 1, 1) == doctest::Approx(2.5));
    CHECK(at({.normalized = true, .addressing = Repeat}, 1.25f, 0.25f) == 1);
    CHECK(at({.normalized = true, .addressing = MirroredRepeat}, 1.25f, 0.25f) == 2);
    CHECK(at({.normalized = true, .linear = true}, 0.5f, 0.25f) == doctest::Approx(1.5));
    // Vulkan has no unnormalised coordinates in three dimensions.
    CHECK(in({}, 1.5f, 0.5f, 1.5f) == 6);
    CHECK(in({.linear = true}, 1, 1, 1) == doctest::Approx(4.5));
    CHECK(in({.normalized = true, .addressing = Repeat}, 1.25f, 0.25f, 1.75f) == 5);
    CHECK(adopted.device.validation_messages() == 0);
}

TEST_CASE("a kernel processes images in the application's command buffer, in their layouts") {
    Adopted adopted;
    ApplicationImage from(adopted.application, ImageShape::Image2D, VK_FORMAT_R8G8B8A8_UNORM, {2, 2, 1}, 1,
                          kSampled),
        to(adopted.application, ImageShape::Image2D, VK_FORMAT_R8G8B8A8_UNORM, {1, 1, 1}, 1, kStored);
    from.write({0xff000000, 0xff000040, 0xff000080, 0xff0000c0}, kReadOnly);
    Kernel kernel = adopted.kernel(kSamples, "blur");
    CHECK(image_access(kernel).empty());  // nothing is set
    must(kernel.set_all(must(Image::adopt(adopted.device, from.adopted(kReadOnly))),
                        Sampler{.normalized = true, .linear = true},
                        must(Image::adopt(adopted.device, to.adopted()))));
    const std::vector<ImageAccess> accesses = image_access(kernel);
    REQUIRE(accesses.size() == 2);
    CHECK(accesses[0].argument == 0);
    CHECK(accesses[0].image == from.vk());
    CHECK(accesses[0].layout == kReadOnly);
    CHECK(accesses[0].reads == VK_ACCESS_SHADER_READ_BIT);
    CHECK(accesses[0].writes == 0);
    CHECK(accesses[1].argument == 2);
    CHECK(accesses[1].image == to.vk());
    CHECK(accesses[1].layout == kGeneral);
    CHECK(accesses[1].reads == 0);
    CHECK(accesses[1].writes == VK_ACCESS_SHADER_WRITE_BIT);

    VkCommandBuffer commands = adopted.application.begin();
    const ImageAccess& written = accesses[1];
    to.order(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED, written.stages,
             written.writes, static_cast<VkImageLayout>(written.layout));
    Recording recording = must(Recording::create(adopted.device));
    must(recording.record(commands, kernel, {.dimensions = 2, .global = {1, 1, 1}}));
    REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
    adopted.application.submit(commands);
    const uint32_t red = to.read()[0] & 0xff;
    CHECK(red >= 0x5f);
    CHECK(red <= 0x61);
}

// Pools of cards end, as those of the layer in tests/driver/features do.
TEST_CASE("a recording has descriptors for as many images as a kernel binds") {
    Adopted adopted;
    VkPhysicalDeviceProperties properties = {};
    vkGetPhysicalDeviceProperties(adopted.application.physical().physical_device, &properties);
    ApplicationImage texels(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_UINT, {1, 1, 1}, 1,
                            kSampled);
    texels.write({3});
    const Image image = must(Image::adopt(adopted.device, texels.adopted()));
    const Buffer out = must(Buffer::create(adopted.device, 4));
    for (const uint32_t most : {31u, 33u, 70u}) {
        const uint32_t count = std::min(most, properties.limits.maxPerStageDescriptorSampledImages);
        CAPTURE(count);
        std::string source = "kernel void sum(global uint *out", sum = "0";
        for (uint32_t i = 0; i < count; ++i) {
            const std::string name = "i" + std::to_string(i);
            source += ", read_only image2d_t " + name;
            sum += " + read_imageui(" + name + ", (int2)(0, 0)).x";
        }
        Kernel kernel = adopted.kernel((source + ") { *out = " + sum + "; }").c_str(), "sum");
        must(kernel.set(0, out));
        for (uint32_t i = 0; i < count; ++i) must(kernel.set(i + 1, image));
        Recording recording = must(Recording::create(adopted.device));
        VkCommandBuffer commands = adopted.application.begin();
        for (int twice = 0; twice < 2; ++twice) must(recording.record(commands, kernel, {}));
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        adopted.application.submit(commands);
        CHECK(adopted.read<uint32_t>(out)[0] == 3 * count);
    }
    CHECK(adopted.device.validation_messages() == 0);
}

TEST_CASE("depth images") {
    Adopted adopted;
    ApplicationImage depth(adopted.application, ImageShape::Image2D, VK_FORMAT_D32_SFLOAT, {2, 1, 1}, 1,
                           kSampled | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    depth.write({std::bit_cast<uint32_t>(0.25f), std::bit_cast<uint32_t>(0.75f)},
                VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    Kernel kernel = adopted.kernel(kSamples, "depth");
    const Buffer out = must(Buffer::create(adopted.device, 4));
    must(kernel.set_all(
        must(Image::adopt(adopted.device, depth.adopted(VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL))),
        out));
    adopted.run(kernel);
    CHECK(adopted.read<float>(out)[0] == 0.75f);
}

TEST_CASE("a view of an image with depth and stencil has floats or unsigned integers") {
    Adopted adopted;
    for (const VkFormat format : {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(adopted.application.physical().physical_device, format,
                                            &properties);
        if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) continue;
        CAPTURE(format);
        const auto image_of = [&](VkImageAspectFlags viewed) {
            return std::make_unique<ApplicationImage>(
                adopted.application, ImageShape::Image2D, format, VkExtent3D{2, 1, 1}, 1,
                kSampled | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 1, viewed);
        };
        const auto depth = image_of(VK_IMAGE_ASPECT_DEPTH_BIT),
                   stencil = image_of(VK_IMAGE_ASPECT_STENCIL_BIT);
        depth->clear_levels();  // to 1/128 and 1
        stencil->clear_levels();
        const Buffer out = must(Buffer::create(adopted.device, 4));
        Kernel depths = adopted.kernel(kSamples, "depth"), stencils = adopted.kernel(kSamples, "stencil");
        must(depths.set_all(must(Image::adopt(adopted.device, depth->adopted())), out));
        adopted.run(depths);
        CHECK(adopted.read<float>(out)[0] == doctest::Approx(1.0 / 128));
        must(stencils.set_all(must(Image::adopt(adopted.device, stencil->adopted())), out));
        adopted.run(stencils);
        CHECK(adopted.read<uint32_t>(out)[0] == 1);
        Kernel integers = adopted.kernel(
            "kernel void k(read_only image2d_t i, global int *to) { to[0] = read_imagei(i, (int2)(0)).x; }",
            "k");
        CHECK(fails_with(integers.set(0, must(Image::adopt(adopted.device, stencil->adopted()))),
                         "the view's format those of floats or unsigned integers"));
    }
    CHECK(adopted.device.validation_messages() == 0);
}

TEST_CASE("images that a kernel reads and writes") {
    Adopted adopted;
    const std::vector<std::string> features = must(all_features(adopted.application.physical())).names();
    if (std::ranges::find(features, "shaderStorageImageReadWithoutFormat") == features.end()) return;
    ApplicationImage image(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {2, 2, 1}, 1,
                           kStored);
    image.write(std::vector<uint32_t>(4, std::bit_cast<uint32_t>(1.5f)));
    Kernel brighter = adopted.kernel(kBrighter, "brighter");
    must(brighter.set_all(must(Image::adopt(adopted.device, image.adopted()))));
    CHECK(image_access(brighter)[0].reads == VK_ACCESS_SHADER_READ_BIT);
    CHECK(image_access(brighter)[0].writes == VK_ACCESS_SHADER_WRITE_BIT);
    adopted.run(brighter, {2, 2, 1});
    CHECK(image.read() == std::vector<uint32_t>(4, std::bit_cast<uint32_t>(3.f)));
}

TEST_CASE("what kernels ask of images") {
    Adopted adopted;
    ApplicationImage first(adopted.application, ImageShape::Image2D, VK_FORMAT_R8G8B8A8_UNORM, {3, 2, 1}, 1,
                           kSampled),
        second(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SINT, {1, 1, 1}, 1, kSampled);
    first.write(std::vector<uint32_t>(6));
    second.write({5});
    AdoptedImage swizzled = second.adopted();
    swizzled.order = ChannelOrder::Luminance;
    const Buffer out = must(Buffer::create(adopted.device, 24));
    Kernel kernel = adopted.kernel(kShapes, "asks");
    const Image image = must(Image::adopt(adopted.device, first.adopted()));
    CHECK(image.options().shape == ImageShape::Image2D);
    CHECK(image.options().type == ChannelType::UnormInt8);
    CHECK_FALSE(image.texels());
    CHECK(image.row_pitch_bytes() == 0);
    must(kernel.set_all(image, must(Image::adopt(adopted.device, swizzled)), out));
    adopted.run(kernel);
    CHECK(adopted.read<int32_t>(out) == std::vector<int32_t>{0x10b5, 0x10d2, 3, 2, 0x10b9, 0x10d9});
    // A kernel that only asks for a size declares an image of floats, and Vulkan wants its view to have them.
    Kernel width = adopted.kernel(kShapes, "width");
    CHECK(
        fails_with(width.set_all(must(Image::adopt(adopted.device, swizzled)), out), "has texels of floats"));
    must(width.set_all(image, out));
    adopted.run(width);
    CHECK(adopted.read<int32_t>(out)[0] == 3);
    Kernel texel = adopted.kernel(kShapes, "width_and_texel");
    must(texel.set_all(must(Image::adopt(adopted.device, second.adopted())), out));
    adopted.run(texel);
    CHECK(adopted.read<int32_t>(out)[0] == 6);
}

/// A kernel for each shape and kind of number: levels by numbers, by gradients, and how many there are.
constexpr const char* kLevels = R"(
#define READS(name, image_t, letter, color, at, one, two, zero)                                                  \
    kernel void name##_##letter(read_only image_t image, sampler_t s, float lod, global color *out) {            \
        out[0] = read_image##letter(image, s, at, lod) PART;                                                     \
        out[1] = read_image##letter(image, s, at, zero, zero) PART;                                              \
        out[2] = read_image##letter(image, s, at, two, one) PART;                                                \
        out[3] = get_image_num_mip_levels(image);                                                                \
    }
#define ALL(name, image_t, at, one, two, zero)                                                                   \
    READS(name, image_t, f, float, at, one, two, zero)                                                       \
    READS(name, image_t, i, int, at, one, two, zero)                                                         \
    READS(name, image_t, ui, uint, at, one, two, zero)
#define PART .x
ALL(line, image1d_t, 0.4f, 1.0f / 16, 2.0f / 16, 0.0f)
ALL(lines, image1d_array_t, (float2)(0.4f, 1), 1.0f / 16, 2.0f / 16, 0.0f)
ALL(plane, image2d_t, (float2)(0.4f), (float2)(1.0f / 16, 0), (float2)(0, 2.0f / 16), (float2)(0))
ALL(planes, image2d_array_t, (float4)(0.4f, 0.4f, 1, 0), (float2)(1.0f / 16, 0), (float2)(0, 2.0f / 16), (float2)(0))
ALL(solid, image3d_t, (float4)(0.4f), (float4)(1.0f / 16, 0, 0, 0), (float4)(0, 0, 2.0f / 16, 0), (float4)(0))
#undef PART
#define PART
READS(depth, image2d_depth_t, f, float, (float2)(0.4f), (float2)(1.0f / 16, 0), (float2)(0, 2.0f / 16), (float2)(0))
READS(depths, image2d_array_depth_t, f, float, (float4)(0.4f, 0.4f, 1, 0), (float2)(1.0f / 16, 0),
      (float2)(0, 2.0f / 16), (float2)(0))

// With samplers of the source, one of which counts texels: the kernel normalises its coordinates.
constant sampler_t normal = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST,
                   counts = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void literals(read_only image2d_t image, sampler_t s, float lod, global float *out) {
    out[0] = read_imagef(image, normal, (float2)(0.4f), lod).x;
    out[1] = read_imagef(image, counts, (float2)(3.5f), lod).x;
    out[2] = read_imagef(image, counts, (int2)(3, 3)).x;
    out[3] = read_imagef(image, s, (float2)(3.5f)).x;
}
)";

struct LevelCase {
    const char* kernel;
    ImageShape shape;
    VkExtent3D extent;
    uint32_t layers;
};
constexpr LevelCase kLevelCases[] = {{"line", ImageShape::Image1D, {16, 1, 1}, 1},
                                     {"lines", ImageShape::Image1DArray, {16, 1, 1}, 3},
                                     {"plane", ImageShape::Image2D, {16, 16, 1}, 1},
                                     {"planes", ImageShape::Image2DArray, {16, 16, 1}, 2},
                                     {"solid", ImageShape::Image3D, {16, 16, 16}, 1}};

TEST_CASE("levels of images, by numbers and by gradients") {
    Adopted adopted;
    const Buffer out = must(Buffer::create(adopted.device, 16));
    const auto levels = [&]<typename T>(T, const std::string& name, const LevelCase& its, VkFormat format,
                                        auto expected) {
        CAPTURE(name);
        VkImageUsageFlags usage = kSampled;
        if (format == VK_FORMAT_D32_SFLOAT) usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
        ApplicationImage image(adopted.application, its.shape, format, its.extent, its.layers, usage, 5);
        image.clear_levels();
        Kernel kernel = adopted.kernel(kLevels, name.c_str());
        const uint32_t first = its.layers > 1 ? 11 : 1;  // of the layer 1
        for (const float lod : {0.f, 1.f, 3.f, 4.f, 9.f}) {
            must(kernel.set_all(must(Image::adopt(adopted.device, image.adopted())),
                                Sampler{.normalized = true}, lod, out));
            adopted.run(kernel);
            const std::vector<T> got = adopted.read<T>(out);
            CHECK(got[0] == expected(first + static_cast<uint32_t>(std::min(lod, 4.f))));
            CHECK(got[1] == expected(first));
            CHECK(got[2] == expected(first + 1));  // two texels of the first level
            CHECK(got[3] == 5);
        }
    };
    for (const LevelCase& its : kLevelCases) {
        const std::string name = its.kernel;
        levels(0.f, name + "_f", its, VK_FORMAT_R32_SFLOAT, [](uint32_t n) { return static_cast<float>(n); });
        levels(int32_t{}, name + "_i", its, VK_FORMAT_R32_SINT,
               [](uint32_t n) { return -static_cast<int32_t>(n); });
        levels(uint32_t{}, name + "_ui", its, VK_FORMAT_R32_UINT, [](uint32_t n) { return n; });
    }
    const auto depth = [](uint32_t n) { return static_cast<float>(n) / 128; };
    levels(0.f, "depth_f", kLevelCases[2], VK_FORMAT_D32_SFLOAT, depth);
    levels(0.f, "depths_f", kLevelCases[3], VK_FORMAT_D32_SFLOAT, depth);
}

TEST_CASE("samplers of images with levels") {
    Adopted adopted;
    ApplicationImage image(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {16, 16, 1}, 1,
                           kSampled, 5);
    image.clear_levels();
    const Image flat = must(Image::adopt(adopted.device, image.adopted()));
    const Buffer out = must(Buffer::create(adopted.device, 16));
    Kernel plane = adopted.kernel(kLevels, "plane_f"), literals = adopted.kernel(kLevels, "literals");
    // Between two levels: trilinear.
    must(plane.set_all(flat, Sampler{.normalized = true, .linear = true, .linear_levels = true}, 2.25f, out));
    adopted.run(plane);
    CHECK(adopted.read<float>(out)[0] == doctest::Approx(3.25).epsilon(0.005));
    must(literals.set_all(flat, Sampler{}, 2.f, out));
    adopted.run(literals);
    CHECK(adopted.read<float>(out) == std::vector<float>{3, 3, 1, 1});
}

constexpr const char* kSamplesOf = R"(
kernel void plane(read_only image2d_msaa_t image, global float *out) {
    for (int i = 0; i < 4; ++i) out[i] = read_imagef(image, (int2)(2, 1), i).x;
    out[4] = get_image_num_samples(image);
    out[5] = get_image_width(image) * 10 + get_image_height(image);
}
kernel void planes(read_only image2d_array_msaa_t image, global float *out) {
    for (int i = 0; i < 4; ++i) out[i] = read_imagef(image, (int4)(2, 1, 1, 0), i).x;
    out[4] = get_image_num_samples(image);
    out[5] = get_image_array_size(image);
}
kernel void integers(read_only image2d_msaa_t image, global float *out) {
    for (int i = 0; i < 4; ++i) out[i] = read_imagei(image, (int2)(2, 1), i).x;
    out[4] = get_image_num_samples(image);
}
kernel void whole(read_only image2d_array_msaa_t image, global float *out) {
    for (int i = 0; i < 4; ++i) out[i] = read_imageui(image, (int4)(2, 1, 1, 0), i).x;
    out[4] = get_image_num_samples(image);
}
kernel void depth(read_only image2d_msaa_depth_t image, global float *out) {
    for (int i = 0; i < 4; ++i) out[i] = read_imagef(image, (int2)(2, 1), i) * 128;
    out[4] = get_image_num_samples(image);
}
kernel void depths(read_only image2d_array_msaa_depth_t image, global float *out) {
    for (int i = 0; i < 4; ++i) out[i] = read_imagef(image, (int4)(2, 1, 1, 0), i) * 128;
    out[4] = get_image_num_samples(image);
}
)";

TEST_CASE("samples of images") {
    Adopted adopted;
    const Buffer out = must(Buffer::create(adopted.device, 24));
    // Samples of the last layer are `first`, and `step` more for each further one.
    const auto samples = [&](const char* name, VkFormat format, uint32_t layers, float first, float step) {
        CAPTURE(name);
        const bool is_depth = format == VK_FORMAT_D32_SFLOAT;
        VkImageFormatProperties can{};
        const VkImageUsageFlags usage =
            kSampled | VkImageUsageFlags{is_depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                  : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
        const VkResult known = vkGetPhysicalDeviceImageFormatProperties(
            adopted.application.physical().physical_device, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
            usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, 0, &can);
        if (known != VK_SUCCESS || !(can.sampleCounts & VK_SAMPLE_COUNT_4_BIT)) return;
        ApplicationImage image(
            adopted.application,
            layers > 1 ? ImageShape::Image2DArrayMultisampled : ImageShape::Image2DMultisampled, format,
            {5, 3, 1}, layers, usage);
        image.write_samples([&](uint32_t layer, uint32_t sample) {
            return layer + 1 == layers ? first + static_cast<float>(sample) * step : 0;
        });
        Kernel kernel = adopted.kernel(kSamplesOf, name);
        must(kernel.set_all(must(Image::adopt(adopted.device, image.adopted())), out));
        adopted.run(kernel);
        const std::vector<float> got = adopted.read<float>(out);
        const float unit = is_depth ? 128 : 1;  // what the kernels read
        for (uint32_t sample = 0; sample < 4; ++sample)
            CHECK(got[sample] ==
                  doctest::Approx((first + static_cast<float>(sample) * step) * unit).epsilon(0.01));
        CHECK(got[4] == 4);
        if (std::string(name) == "plane") CHECK(got[5] == 53);
        if (std::string(name) == "planes") CHECK(got[5] == 2);
    };
    if (adopted.application.draws()) {
        samples("plane", VK_FORMAT_R32_SFLOAT, 1, 1.5f, 7);
        samples("planes", VK_FORMAT_R8G8B8A8_UNORM, 2, 0.2f, 0.2f);
        samples("planes", VK_FORMAT_R32_SFLOAT, 2, -11, 3);
        samples("integers", VK_FORMAT_R32_SINT, 1, -1, -5);
        samples("whole", VK_FORMAT_R32_UINT, 2, 11, 100);
        samples("depth", VK_FORMAT_D32_SFLOAT, 1, 0.125f, 0.25f);
        samples("depths", VK_FORMAT_D32_SFLOAT, 2, 0.5f, -0.125f);
    }

    ApplicationImage one(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {5, 3, 1}, 1,
                         kSampled);
    Kernel plane = adopted.kernel(kSamplesOf, "plane");
    CHECK(fails_with(plane.set(0, must(Image::adopt(adopted.device, one.adopted()))),
                     "is a 2D multisampled image, and the view is 2D"));
    CHECK(fails_with(Image::create(adopted.device, {.shape = ImageShape::Image2DMultisampled}),
                     "an image in memory has one sample"));
}

TEST_CASE("images that kernels cannot have are declined by name") {
    Adopted adopted;
    const Device& device = adopted.device;
    ApplicationImage sampled(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_UINT, {2, 2, 1}, 1,
                             kSampled),
        stored(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_UINT, {2, 2, 1}, 1, kStored),
        both(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {2, 2, 1}, 1,
             kSampled | kStored),
        array(adopted.application, ImageShape::Image2DArray, VK_FORMAT_R32_UINT, {2, 2, 1}, 2, kSampled),
        with_signs(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SINT, {2, 2, 1}, 1,
                   kSampled | kStored);
    ApplicationTexels texels(adopted.application, 4, VK_FORMAT_R32_UINT,
                             VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);

    AdoptedImage bad = sampled.adopted();
    CHECK(fails_with(Image::adopt({}, bad), "no device"));
    bad.image = nullptr;
    CHECK(fails_with(Image::adopt(device, bad), "the image is null"));
    bad = sampled.adopted();
    bad.view = nullptr;
    CHECK(fails_with(Image::adopt(device, bad), "the view of the image is null"));
    bad = sampled.adopted();
    bad.shape = static_cast<ImageShape>(77);
    CHECK(fails_with(Image::adopt(device, bad), "there is no such shape"));
    CHECK(fails_with(Image::adopt(device, sampled.adopted(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)),
                     "the layout 7"));
    bad = sampled.adopted();
    bad.format = VK_FORMAT_UNDEFINED;
    CHECK(fails_with(Image::adopt(device, bad), "the format of the view is not stated"));
    bad.format = VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK;  // no known device of these tests samples it
    CHECK(fails_with(Image::adopt(device, bad), "does not have the format 1000066000"));
    for (const VkFormat wide : {VK_FORMAT_R64_UINT, VK_FORMAT_R64_SINT, VK_FORMAT_R64G64B64A64_SFLOAT}) {
        bad.format = wide;  // lavapipe samples integers of 64 bits
        CHECK(fails_with(Image::adopt(device, bad), "no kernel takes the format " + std::to_string(wide) +
                                                        ", whose channels have 64 bits"));
    }
    bad = sampled.adopted();
    bad.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    CHECK(fails_with(Image::adopt(device, bad), "neither VK_IMAGE_USAGE_SAMPLED_BIT"));
    CHECK(fails_with(Image::adopt(device, AdoptedTexelBuffer{}), "the view of the buffer is null"));
    AdoptedTexelBuffer no_usage = texels.adopted();
    no_usage.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    CHECK(fails_with(Image::adopt(device, no_usage), "neither VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT"));

    Kernel plane = adopted.kernel(kShapes, "plane"), buffers = adopted.kernel(kShapes, "buffers"),
           integers = adopted.kernel(kShapes, "integers");
    const auto set = [&](Kernel& kernel, uint32_t index, const ApplicationImage& image,
                         VkImageLayout layout = kGeneral) {
        return kernel.set(index, must(Image::adopt(device, image.adopted(layout))));
    };
    CHECK(fails_with(set(plane, 0, array),
                     "argument 0 ('from') of kernel 'plane' is a 2D image, and the view is 2D array"));
    CHECK(fails_with(set(plane, 0, stored), "is read_only, and the image's usage or format"));
    CHECK(fails_with(set(plane, 1, sampled), "is written, and the image's usage or format"));
    CHECK(fails_with(set(plane, 0, both),
                     "has texels of unsigned integers, and the view's format those of floats"));
    CHECK(fails_with(set(plane, 1, both), "has texels of unsigned integers"));
    for (const uint32_t index : {0u, 1u})
        CHECK(fails_with(set(plane, index, with_signs),
                         "has texels of unsigned integers, and the view's format those of signed integers"));
    must(set(integers, 0, with_signs));
    CHECK(fails_with(set(integers, 0, sampled), "has texels of signed integers"));
    CHECK(fails_with(set(plane, 1, stored, kReadOnly), "in a layout that is for reading"));
    CHECK(fails_with(plane.set(0, must(Image::adopt(device, texels.adopted()))),
                     "the image is a texel buffer"));
    CHECK(fails_with(set(buffers, 0, sampled), "the image is no texel buffer"));
    CHECK(fails_with(buffers.set(1, must(Image::adopt(device, texels.adopted()))), "is written"));
    CHECK(fails_with(set(plane, 9, sampled), "has no argument 9"));
    CHECK(fails_with(set(integers, 1, sampled), "is not an image of Vulkan's"));
    CHECK(fails_with(plane.set(0, Image()), "there is no image"));
    const Image memory =
        must(Image::create(device, {.order = ChannelOrder::R, .type = ChannelType::UnsignedInt32}));
    CHECK(fails_with(plane.set(0, memory), "is an image of Vulkan's, which Image::adopt() makes"));
    CHECK(plane.unset_argument() == 0);

    const ProgramResult in_memory = Program::build(device, std::string_view(kShapes), "test.cl",
                                                   {.compile = {.options = "-cl-std=CL2.0"}});
    REQUIRE_MESSAGE(in_memory, in_memory.log);
    Kernel kernel = must(Kernel::create(in_memory.program, "plane"));
    CHECK(fails_with(set(kernel, 0, sampled), "is an image in memory: an adopted one needs a program with"));
    must(kernel.set(0, memory));
}

constexpr const char* kFilters = R"(
    constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    uint4 read(read_only image2d_t image, sampler_t how) { return read_imageui(image, how, (float2)(1, 1)); }
    kernel void literal(read_only image2d_t image, global uint *out) { out[0] = read(image, linear).x; }
    kernel void argument(read_only image2d_t image, read_only image2d_t floats, sampler_t of_floats,
                         sampler_t of_integers, global float *out) {
        out[0] = read(image, of_integers).x + read_imagef(floats, of_floats, (float2)(1, 1)).x;
    }
)";

TEST_CASE("linear filters of images that have none are declined by name") {
    Adopted adopted;
    ApplicationImage integers(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_UINT, {2, 2, 1}, 1,
                              kSampled),
        floats(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {2, 2, 1}, 1, kSampled);
    integers.write({1, 2, 3, 4});
    const auto one = std::bit_cast<uint32_t>(1.f), two = std::bit_cast<uint32_t>(2.f);
    floats.write({one, two, one, two});
    const Image of_integers = must(Image::adopt(adopted.device, integers.adopted())),
                of_floats = must(Image::adopt(adopted.device, floats.adopted()));
    Kernel literal = adopted.kernel(kFilters, "literal"), argument = adopted.kernel(kFilters, "argument");
    CHECK(fails_with(
        literal.set(0, of_integers),
        "argument 0 ('image') of kernel 'literal' is read with a sampler of the source with the "
        "bits 34, which has a linear filter, and the device does not filter the view's format 98"));
    CHECK(literal.unset_argument() == 0);
    const Buffer out = must(Buffer::create(adopted.device, 4));
    const Sampler linear{.linear = true}, nearest{};
    const Sampler levels{.normalized = true, .linear_levels = true};
    for (const Sampler& sampler : {linear, levels})
        CHECK(
            fails_with(argument.set(3, sampler),
                       "argument 3 ('of_integers') of kernel 'argument' has a linear filter, and the kernel "
                       "reads unsigned integers of argument 0 ('image') of kernel 'argument' with it"));
    must(argument.set_all(of_integers, of_floats, linear, nearest, out));
    adopted.run(argument);
    CHECK(adopted.read<float>(out)[0] == doctest::Approx(5.5));
    CHECK(adopted.device.validation_messages() == 0);
}

TEST_CASE("kernels that write images need a feature, which a build names where it is not enabled") {
    Application application;
    const CompileResult compiled = compile(
        kShapes, "test.cl",
        {.options = "-cl-std=CL2.0", .profile = must(physical_device_profile(application.physical()))});
    REQUIRE_MESSAGE(compiled, compiled.log);
    const std::span<const uint32_t> modules[] = {compiled.words};
    const auto has_write = [](const RequiredFeatures& features) {
        const std::vector<std::string> names = features.names();
        return std::ranges::find(names, "shaderStorageImageWriteWithoutFormat") != names.end();
    };
    if (!has_write(must(all_features(application.physical())))) return;
    CHECK(has_write(must(required_features(application.physical(), modules, {.images = Images::Hardware}))));
    const RequiredFeatures in_memory = must(required_features(application.physical(), modules));
    CHECK_FALSE(has_write(in_memory));
    application.make_device(in_memory);
    const Device device = application.adopt();
    const ProgramResult built = Program::build(device, compiled.words, {.images = Images::Hardware});
    CHECK_FALSE(built);
    CHECK_MESSAGE(built.log.find("shaderStorageImageWriteWithoutFormat") != std::string::npos, built.log);
}

TEST_CASE("modules that fix a format take views of this format") {
    Adopted adopted;
    const DeviceProfile profile = adopted.device.profile();
    const CompileResult compiled =
        compile("kernel void k(write_only image2d_t to) { write_imagef(to, (int2)(0, 0), (float4)(0.5f)); }",
                "test.cl", {.profile = profile});
    REQUIRE_MESSAGE(compiled, compiled.log);
    const Translation translation = must(translate(compiled.words, {.target = profile.newest_target(),
                                                                    .profile = profile,
                                                                    .abi = Abi::Descriptors,
                                                                    .storage_formats = {"r32f"}}));
    Kernel kernel = must(Kernel::create(must(Program::load(adopted.device, translation)), "k"));
    ApplicationImage wrong(adopted.application, ImageShape::Image2D, VK_FORMAT_R8G8B8A8_UNORM, {1, 1, 1}, 1,
                           kStored),
        right(adopted.application, ImageShape::Image2D, VK_FORMAT_R32_SFLOAT, {1, 1, 1}, 1, kStored);
    CHECK(fails_with(kernel.set(0, must(Image::adopt(adopted.device, wrong.adopted()))),
                     "has the format r32f, and the view another one"));
    right.write({0});
    must(kernel.set_all(must(Image::adopt(adopted.device, right.adopted()))));
    adopted.run(kernel);
    CHECK(right.read() == std::vector<uint32_t>{std::bit_cast<uint32_t>(0.5f)});
}
