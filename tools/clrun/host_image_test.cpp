// SPDX-License-Identifier: Apache-2.0
#include "tools/clrun/host_image.h"
#include "tests/support/why.h"

#include <doctest/doctest.h>

#include <random>

#include "spirv/support/files.h"

using namespace caldera;
using namespace caldera::tools;

namespace {

std::vector<std::byte> texels(const std::string& image, const std::string& contents) {
    const Result<HostArray> array = contents_of(parse_image(image).take(), contents);
    REQUIRE_MESSAGE(static_cast<bool>(array), why(array));
    return array->bytes;
}
std::string fault(const std::string& image, const std::string& contents) {
    const Result<HostArray> array = contents_of(parse_image(image).take(), contents);
    return array ? std::string() : array.error().message;
}
std::string shape_fault(const std::string& image, const vulkan::KernelArgument& argument) {
    const Result<Done> done = check_shape(image, argument);
    return done ? std::string() : done.error().message;
}
std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (const int value : values) out.push_back(static_cast<std::byte>(value));
    return out;
}

}  // namespace

TEST_CASE("an image's contents are all of its numbers, in a list, by a rule or from a file") {
    const std::string image = "2d:RG:UNORM_INT8:2x1";
    CHECK(texels(image, "") == bytes({0, 0, 0, 0}));
    CHECK(texels(image, ":1,2,0xff,4") == bytes({1, 2, 255, 4}));
    CHECK(texels(image, ":=7") == bytes({7, 7, 7, 7}));
    CHECK(texels(image, ":range(3)") == bytes({3, 4, 5, 6}));
    CHECK(texels(image, ":random(2)").size() == 4);
    CHECK(texels("1d:RGB:UNORM_SHORT_565:2", ":0x102,3") == bytes({2, 1, 3, 0}));

    CHECK(fault(image, ":1,2,3") == "the image has 4 x u8, its contents are 3 x u8");
    CHECK(fault(image, ":1,2,3,4,5") == "the image has 4 x u8, its contents are 5 x u8");
    CHECK(fault(image, ":1,2,3,300") == "out of range for u8: '300'");
    CHECK(fault(image, "f32:1") ==
          "an image's contents are written =:1,2,3 or =:=VALUE, =:range, =:random or =@FILE, not '=f32:1'");

    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() /
        ("caldera_host_image_test." + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const std::string place = utf8_text(folder);
    for (const std::string size : {"3", "4", "5"}) {
        const HostArray array = parse_array(Element::U8, "[" + size + "]:range(1)").take();
        CHECK(save(array, place + "/" + size));
    }
    CHECK(save(parse_array(Element::F32, ":1").take(), place + "/float.npy"));
    CHECK(texels(image, "@" + place + "/4") == bytes({1, 2, 3, 4}));
    CHECK(fault(image, "@" + place + "/3") == "the image has 4 x u8, its contents are 3 x u8");
    CHECK(fault(image, "@" + place + "/5") == "the image has 4 x u8, its contents are 5 x u8");
    CHECK(fault(image, "@" + place + "/float.npy") == "the image has 4 x u8, its contents are 1 x f32");
    std::filesystem::remove_all(folder);
}

TEST_CASE("an image has the shape that the kernel takes") {
    using vulkan::ImageShape;
    const vulkan::KernelArgument flat{.base_type_name = "image2d_t", .image_shape = ImageShape::Image2D},
        row{.base_type_name = "image1d_t", .image_shape = ImageShape::Image1D},
        named{.base_type_name = "picture", .image_shape = ImageShape::Image2D},
        unnamed{.image_shape = ImageShape::Image2DArray},
        samples{.base_type_name = "image2d_msaa_t", .image_shape = ImageShape::Image2DMultisampled};
    CHECK(shape_fault("2d:R:FLOAT:2x2", flat).empty());
    CHECK(shape_fault("2d_depth:DEPTH:FLOAT:2x2", named).empty());
    CHECK(shape_fault("2d_array:R:FLOAT:2x2x2", unnamed).empty());
    CHECK(shape_fault("1d:R:FLOAT:2", flat) == "the kernel takes an image2d_t, not an image1d_t");
    CHECK(shape_fault("2d_depth:DEPTH:FLOAT:2x2", flat) ==
          "the kernel takes an image2d_t, not an image2d_depth_t");
    CHECK(shape_fault("1d_buffer:R:FLOAT:2", row) ==
          "the kernel takes an image1d_t, not an image1d_buffer_t");
    CHECK(shape_fault("3d:R:FLOAT:2x2x2", named) == "the kernel takes an image2d_t, not an image3d_t");
    CHECK(shape_fault("2d:R:FLOAT:2x2", unnamed) == "the kernel takes an image2d_array_t, not an image2d_t");
    CHECK(shape_fault("2d:R:FLOAT:2x2", samples) ==
          "the kernel takes an image with several samples, which clrun does not make");
}

TEST_CASE("what is no image is told") {
    const auto said = [](const char* text) {
        const auto image = parse_image(text);
        return image ? std::string() : image.error().message;
    };
    CHECK(said("2d:R:FLOAT:4294967295x4294967295") ==
          "an image of 4294967295x4294967295 texels is too large");
    CHECK(said("2d:R:FLOAT:4") ==
          "an image is written SHAPE:ORDER:TYPE:SIZE, as 2d:RGBA:UNORM_INT8:16x8, not '2d:R:FLOAT:4'");
    CHECK(said("2d:R:FLOAT:65536x65536").empty());
    const std::string texels[] = {
        "RGBA:UNORM_SHORT_565",        "RGB:FLOAT",        "INTENSITY:UNSIGNED_INT8",
        "R:UNORM_INT_101010",          "RGBA:UNORM_INT24", "DEPTH_STENCIL:UNORM_INT24",
        "RGBA:UNORM_INT_2_101010_EXT", "BGRA:FLOAT",       "sRGBA:FLOAT"};
    for (const std::string& each : texels) {
        CAPTURE(each);
        CHECK(said(("2d:" + each + ":2x2").c_str()).starts_with("no image has channels "));
    }
    for (const char* each :
         {"2d:Rx:UNORM_INT8:2x2", "2d:sRGBx:UNORM_INT8:2x2", "2d:RGBx:UNORM_SHORT_555:2x2"}) {
        CAPTURE(each);
        CHECK(said(each).starts_with("no image has channels "));
        CHECK(parse_image(each, ImageFormats::OfKernels));
    }
    CHECK(parse_image("2d:sRGBx:UNORM_INT8:2x2", ImageFormats::OfKernels).take().element_bytes == 4);
    CHECK_FALSE(parse_image("2d:R:UNORM_INT24:2x2", ImageFormats::OfKernels));
    CHECK(said("2d:sRGBA:FLOAT:2x2") ==
          "no image has channels sRGBA of type FLOAT (OpenCL API, section 5.3.1.1)");
    for (const char* each :
         {"2d:RGB:UNORM_SHORT_565:2x2", "2d:RGB:UNORM_INT_101010:2x2", "2d:ABGR:UNORM_INT_2_101010_EXT:2x2",
          "2d:BGRA:UNORM_INT8:2x2", "2d:INTENSITY:HALF_FLOAT:2x2", "2d_depth:DEPTH:UNORM_INT16:2x2"})
        CHECK(said(each).empty());
    for (const char* each : {"2d:DEPTH:FLOAT:2x2", "2d_depth:R:FLOAT:2x2", "3d:DEPTH:FLOAT:2x2x2"})
        CHECK(said(each) == "images of depths alone, 2d_depth and 2d_array_depth, have channels DEPTH");
}
