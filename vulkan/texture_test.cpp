// SPDX-License-Identifier: Apache-2.0
// Kernels that read textures: the form of a program for them, and programs whose images are all Vulkan's.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/texture.h"
#include "vulkan/runtime/texture_format.h"
#include "vulkan/texture_probe.h"

using namespace caldera;

namespace {

constexpr uint32_t kR = 0x10b0, kRgba = 0x10b5, kUnormInt8 = 0x10d2, kFloat = 0x10de;  // CL_R ...
constexpr uint32_t kWidth = 5, kHeight = 3;

constexpr const char* kSource = R"(
    global int calls = 0;
    constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void show(read_only image2d_t image, sampler_t given, global float4 *out, local int *scratch, int first,
                     write_only image2d_t copy) {
        const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
        scratch[get_local_id(0)] = first;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float4 texel = read_imagef(image, nearest, (int2)(x - 1, y - 1));
        out[first + y * width + x] = texel + read_imagef(image, given, (float2)(0.5f, 0.5f));
        out[first + y * width + x].x += scratch[get_local_id(0)] * 100;
        write_imagef(copy, (int2)(x, y), texel);
        atomic_inc(&calls);
        if (x == 0 && y == 0) out[0] = (float4)(get_image_width(image), get_image_height(image),
                                                get_image_channel_order(image), calls != 0);
    }
)";

std::vector<std::byte> texels() {
    std::vector<std::byte> bytes(size_t{kWidth} * kHeight * 4);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 4 % 256);
    return bytes;
}

vulkan::ImageDescriptor describe(const runtime::Buffer& buffer, uint32_t width, uint32_t height) {
    return {.data_address = buffer.address(),
            .row_pitch_bytes = width * 4,
            .slice_pitch_bytes = uint64_t{width} * height * 4,
            .width = width,
            .height = height,
            .depth = 1,
            .array_size = 1,
            .channel_order = kRgba,
            .channel_data_type = kUnormInt8,
            .element_bytes = 4};
}

}  // namespace

TEST_CASE("texture formats: what texture units read better depends on the channels' size and kind") {
    constexpr uint32_t kSnormInt8 = 0x10d0, kSnormInt16 = 0x10d1, kUnormInt16 = 0x10d3, kHalfFloat = 0x10dd,
                       kInt101010 = 0x10d6;
    const auto bytes = runtime::texture_format(kRgba, kUnormInt8);
    REQUIRE(bytes);
    CHECK(bytes->texel_bytes == 4);
    CHECK(bytes->channel_bytes == 1);
    CHECK_FALSE(bytes->has_signs);
    CHECK_FALSE(runtime::texture_format(kR, kUnormInt16)->has_signs);
    CHECK(runtime::texture_format(kR, kSnormInt8)->has_signs);
    CHECK(runtime::texture_format(kR, kSnormInt16)->has_signs);
    const auto halves = runtime::texture_format(kRgba, kHalfFloat);
    REQUIRE(halves);
    CHECK(halves->channel_bytes == 2);
    CHECK(halves->has_signs);
    const auto floats = runtime::texture_format(kR, kFloat);
    REQUIRE(floats);
    CHECK(floats->channel_bytes == 4);
    CHECK(floats->has_signs);
    CHECK_FALSE(runtime::texture_format(kRgba, kInt101010));
}

TEST_CASE("a kernel gives the same of a texture as of the same texels in memory") {
    const auto device = runtime::open_device().take();
    if (!device->has_addresses()) return;
    const auto queue = runtime::Queue::create(*device).take();
    BuildOptions options;
    REQUIRE(frontend::parse_build_options("-cl-std=CL2.0", options.compile));
    const BuildResult built = build_program(*device, kSource, "a.cl", options);
    REQUIRE_MESSAGE(built, built.log);
    runtime::Program* form = built.program->image_form();
    REQUIRE(form);
    CHECK(form == built.program->image_form());
    CHECK(form->data_segment_address() == built.program->data_segment_address());

    const std::vector<std::byte> bytes = texels();
    const auto memory = runtime::Buffer::create(*device, bytes.size()).take();
    REQUIRE(queue->upload(memory, 0, bytes));
    const runtime::TextureFormat format = runtime::texture_format(kRgba, kUnormInt8).value();
    const runtime::TextureShape shape{.extent = {kWidth, kHeight, 1}};
    REQUIRE(runtime::Texture::is_supported(*device, format, shape));
    const runtime::Texture texture = runtime::Texture::create(*device, format, shape).take();
    REQUIRE(queue->copy(memory, {.row_texels = kWidth, .slice_rows = kHeight}, texture));

    constexpr uint32_t kColumns = kWidth + 2, kRows = kHeight + 2, kFirst = 7;
    const auto out = runtime::Buffer::create(*device, (kFirst + kColumns * kRows) * 16).take();
    const auto copy = runtime::Buffer::create(*device, uint64_t{kColumns} * kRows * 4).take();
    const auto put = [&](const vulkan::ImageDescriptor& descriptor) {
        auto buffer = runtime::Buffer::create(*device, sizeof descriptor).take();
        REQUIRE(queue->upload(buffer, 0, std::as_bytes(std::span(&descriptor, 1))));
        return buffer;
    };
    const runtime::Buffer described = put(describe(memory, kWidth, kHeight)),
                          copy_described = put(describe(copy, kColumns, kRows));
    for (const uint32_t sampler :
         {vulkan::kSamplerNormalized | vulkan::kSamplerClamp | vulkan::kSamplerLinear,
          vulkan::kSamplerClampToEdge | vulkan::kSamplerNearest}) {
        runtime::Kernel kernel = runtime::Kernel::create(*built.program, "show").take();
        REQUIRE(kernel.set_image(0, {.descriptor = describe(memory, kWidth, kHeight),
                                     .descriptor_address = described.address(),
                                     .texels = &memory}));
        REQUIRE(kernel.set_sampler(1, sampler));
        REQUIRE(kernel.set(2, out));
        REQUIRE(kernel.set_local(3, 4 * kColumns));
        REQUIRE(kernel.set(4, kFirst));
        REQUIRE(kernel.set_image(5, {.descriptor = describe(copy, kColumns, kRows),
                                     .descriptor_address = copy_described.address(),
                                     .texels = &copy}));
        const auto run = [&](const runtime::Kernel& launched) {
            REQUIRE(queue->fill(out, 0, out.size_bytes(), 0));
            REQUIRE(queue->fill(copy, 0, copy.size_bytes(), 0));
            REQUIRE(queue->dispatch(
                launched, {.dimensions = 2, .global = {kColumns, kRows, 1}, .local = {kColumns, 1, 1}}));
            std::vector<float> values(out.size_bytes() / 4);
            std::vector<uint32_t> written(copy.size_bytes() / 4);
            REQUIRE(queue->download(out, 0, std::as_writable_bytes(std::span(values))));
            REQUIRE(queue->download(copy, 0, std::as_writable_bytes(std::span(written))));
            for (const uint32_t texel : written) values.push_back(static_cast<float>(texel));
            return values;
        };
        const std::vector<float> of_memory = run(kernel);
        CHECK(of_memory[0] == kWidth);
        CHECK(of_memory[2] == kRgba);
        runtime::Kernel with_texture = kernel.in_form(*form).take();
        CHECK(with_texture.unset_argument() == 0);
        CHECK(!with_texture.set_vulkan_image(0, {}));  // no view
        CHECK(!with_texture.set_vulkan_image(2, {.view = texture.view()}));
        REQUIRE(with_texture.set_vulkan_image(
            0, {.view = texture.view(), .channel_order = kRgba, .channel_data_type = kUnormInt8}));
        CHECK(!with_texture.unset_argument());
        const std::vector<float> of_texture = run(with_texture);
        REQUIRE(of_texture.size() == of_memory.size());
        for (size_t i = 0; i < of_memory.size(); ++i)
            CHECK(of_texture[i] == doctest::Approx(of_memory[i]).epsilon(1e-5));
    }
    CHECK(device->validation_messages() == 0);
}

TEST_CASE("which formats are textures") {
    CHECK(!runtime::texture_format(0, 0));
    CHECK(!runtime::texture_format(0x10b4, 0x10d4));      // CL_RGB, CL_UNORM_SHORT_565
    CHECK(!runtime::texture_format(0x10c1, kUnormInt8));  // CL_sRGBA
    CHECK(runtime::texture_format(0x10b6, kUnormInt8)->format == VK_FORMAT_R8G8B8A8_UNORM);  // CL_BGRA
    CHECK(runtime::texture_format(0x10b6, kUnormInt8)->components.r == VK_COMPONENT_SWIZZLE_B);
    CHECK(!runtime::texture_format(0x10b6, kUnormInt8)->is_in_order);
    CHECK(runtime::texture_format(kRgba, kUnormInt8)->is_in_order);
    CHECK(runtime::texture_format(0x10b0, 0x10d9)->texel_numbers ==
          vulkan::kSignedTexels);  // CL_R, CL_SIGNED_INT32
}

TEST_CASE("which formats kernels may write to textures") {
    const auto device = runtime::open_device().take();
    if (!device->has_addresses() || !device->profile().storage_write_without_format) return;
    constexpr uint32_t kBgra = 0x10b6, kSigned8 = 0x10d7, kUnsigned32 = 0x10dc;
    // A float stays as it is wherever it is stored.
    CHECK(stores_as_opencl(*device, kRgba, kFloat));
    CHECK(stores_as_opencl(*device, kR, kFloat));
    CHECK(stores_as_opencl(*device, kR, kUnsigned32));
    CHECK(!stores_as_opencl(*device, kR, kSigned8));
    CHECK(!stores_as_opencl(*device, kBgra, kUnormInt8));
    CHECK(!stores_as_opencl(*device, 0, 0));
    CHECK(device->validation_messages() == 0);
}

TEST_CASE("filters of levels") {
    const auto device = runtime::open_device().take();
    if (!device->has_addresses()) return;
    CHECK(levels_as_opencl(*device, kRgba, kUnormInt8));
    CHECK(levels_as_opencl(*device, kR, kFloat));
    CHECK(!levels_as_opencl(*device, 0, 0));
    CHECK(device->validation_messages() == 0);
}
