// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string module_text(const std::string& body) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Float16
 OpCapability ImageBasic
 OpCapability ImageReadWrite
 OpCapability ImageMipmap
 OpCapability LiteralSampler
 OpCapability Sampled1D
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %f32 = OpTypeFloat 32
 %f16 = OpTypeFloat 16
 %int2 = OpTypeVector %u32 2
 %int3 = OpTypeVector %u32 3
 %int4 = OpTypeVector %u32 4
 %float2 = OpTypeVector %f32 2
 %float4 = OpTypeVector %f32 4
 %half4 = OpTypeVector %f16 4
 %image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
 %both = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
 %depth = OpTypeImage %void 2D 1 1 0 0 Unknown WriteOnly
 %line = OpTypeImage %void 1D 0 1 0 0 Unknown ReadOnly
 %sampled = OpTypeSampledImage %image
 %sampler = OpTypeSampler
 %repeat = OpConstantSampler %sampler Repeat 1 Linear
 %closest = OpConstantSampler %sampler Repeat 1 Nearest
 %zero = OpConstant %f32 0
 %level = OpConstant %u32 0
 %second = OpConstant %u32 1
 %one = OpConstant %f32 1
 %place = OpConstantNull %int2
 %place4 = OpConstantNull %int4
 %at = OpConstantNull %float2
 %half = OpConstant %f16 1
 %half2_t = OpTypeVector %f16 2
 %half2 = OpConstantNull %half2_t
 %fn = OpTypeFunction %void %image %both %depth %line %sampler
 %k = OpFunction %void None %fn
 %i = OpFunctionParameter %image
 %b = OpFunctionParameter %both
 %d = OpFunctionParameter %depth
 %l = OpFunctionParameter %line
 %s = OpFunctionParameter %sampler
 %entry = OpLabel
)" + body + " OpReturn\n OpFunctionEnd\n";
}
PassRun lowered(const std::string& body, const TranslateOptions& options = {}) {
    return run_passes(module_text(body), {check_supported, describe_kernels, lower_images}, options);
}

TEST_CASE("lower_images: arguments") {
    const PassRun run = lowered("");
    CHECK(run.error == "");
    const auto& arguments = run.interface.kernels.at(0).arguments;
    REQUIRE(arguments.size() == 5);
    CHECK(arguments[0].kind == ArgumentKind::Image);
    CHECK(arguments[0].size_bytes == 8);
    CHECK(arguments[0].access == ArgumentAccess::ReadOnly);
    CHECK(arguments[1].access == ArgumentAccess::ReadWrite);
    CHECK(arguments[2].access == ArgumentAccess::WriteOnly);
    CHECK(arguments[4].kind == ArgumentKind::Sampler);
    CHECK(arguments[4].size_bytes == 4);
    CHECK(!contains(run.text, "OpTypeImage"));
    CHECK(!contains(run.text, "OpTypeSampler"));
    CHECK(!contains(run.text, "OpConstantSampler"));
}

TEST_CASE(
    "lower_images: by descriptors an image is its texels, and a row of the argument table describes it") {
    const std::string body =
        " %x = OpImageRead %float4 %b %place\n %w = OpImageQuerySizeLod %int2 %i %level\n";
    const PassRun run = lowered(body, {.abi = Abi::Descriptors, .argument_table = true});
    CHECK(run.error == "");
    CHECK(run.interface.kernels.at(0).arguments[1].binding == 1);
    CHECK(contains(run.text, "\"bound_image_read_2d_f\""));
    CHECK(!contains(run.text, "\"image_descriptor\""));
    CHECK(contains(run.text, "OpTypePointer CrossWorkgroup %uint"));
    CHECK(count(run.text, "OpInBoundsPtrAccessChain %_ptr_UniformConstant_uint") == 5);
    CHECK(contains(run.text, "%uint_16"));  // the first word of row 1
    CHECK(!contains(run.text, "OpConvertPtrToU"));
    const PassRun declined = lowered(body, {.abi = Abi::Descriptors});
    CHECK(contains(declined.error,
                   "images in memory need device addresses, which --abi=descriptors does not use"));
}

TEST_CASE("lower_images: by descriptors a function is given the formats of its images") {
    const PassRun run = lowered(R"( %c1 = OpFunctionCall %void %f %i %level %b
 OpReturn
 OpFunctionEnd
 %reader = OpTypeFunction %void %image %u32 %both
 %f = OpFunction %void None %reader
 %fi = OpFunctionParameter %image
 %fn_level = OpFunctionParameter %u32
 %fb = OpFunctionParameter %both
 %start = OpLabel
 %x = OpImageRead %float4 %fb %place
 %y = OpImageRead %float4 %fi %place
)",
                                {.abi = Abi::Descriptors, .argument_table = true});
    REQUIRE(run.error == "");
    const auto format_of = [&](uint32_t argument) {
        const std::string what =
            " SpecId " + std::to_string(run.interface.kernels.at(0).arguments[argument].spec_id);
        const size_t end = run.text.find(what + "\n");
        REQUIRE(end != std::string::npos);
        const size_t begin = run.text.rfind('%', end);
        return run.text.substr(begin, end - begin);
    };
    CHECK(contains(run.text, " " + format_of(0) + " " + format_of(1) + "\n"));  // at the end of the call
    const size_t reader = run.text.rfind("OpFunctionParameter %uint\n");
    REQUIRE(reader != std::string::npos);
    // The last parameter is the format of the second image, which is read first.
    const size_t line = run.text.rfind('%', reader);
    const std::string last = run.text.substr(line, run.text.find(' ', line) - line);
    const size_t first_read = run.text.find("OpFunctionCall %v4float", reader);
    REQUIRE(first_read != std::string::npos);
    CHECK(contains(run.text.substr(first_read, run.text.find('\n', first_read) - first_read),
                   " " + last + " "));
}

TEST_CASE("lower_images: counts the places that read images, for each call of a function") {
    const std::string called = R"( %x = OpImageRead %float4 %b %place
 %c1 = OpFunctionCall %void %f %i
 %c2 = OpFunctionCall %void %f %i
 OpReturn
 OpFunctionEnd
 %reader = OpTypeFunction %void %image
 %f = OpFunction %void None %reader
 %fi = OpFunctionParameter %image
 %start = OpLabel
 %fs = OpSampledImage %sampled %fi %repeat
 %fx = OpImageSampleExplicitLod %float4 %fs %at Lod %zero
 %size = OpImageQuerySizeLod %int2 %fi %level
)";
    CHECK(lowered(called).interface.kernels.at(0).image_reads == 3);
    CHECK(lowered("").interface.kernels.at(0).image_reads == 0);
    CHECK(lowered(called, {.images = Images::Hardware}).interface.kernels.at(0).image_reads == 0);
}

TEST_CASE("lower_images: a kernel's images have the number of their format, a specialisation constant") {
    const PassRun run = lowered(" %x = OpImageRead %float4 %b %place\n");
    const auto& arguments = run.interface.kernels.at(0).arguments;
    CHECK(arguments[0].spec_id == 3);
    CHECK(arguments[3].spec_id == 6);
    CHECK(contains(run.text, "SpecId 3\n"));
    CHECK(contains(run.text, "SpecId 6\n"));
    CHECK(!contains(run.text, "SpecId 7\n"));
    CHECK(contains(run.text, "OpSpecConstant %uint 0"));
    CHECK(image_format_number(0x10b5, 0x10d2) == 0x32);  // CL_RGBA, CL_UNORM_INT8
    CHECK(image_format_number(0x10bd, 0x10de) == 0x7e);  // CL_DEPTH, CL_FLOAT
    CHECK(image_format_number(0x10b4, 0x10d4) == 0);     // CL_RGB, CL_UNORM_SHORT_565
    CHECK(image_format_number(0x10b5, 0x10e0) == 0);     // CL_RGBA, CL_UNORM_INT_101010_2
    CHECK(image_format_number(0x10c3, 0x10e5) == 0);     // CL_ABGR, CL_UNORM_INT_2_101010_EXT
}

TEST_CASE("lower_images: reading with samplers") {
    const PassRun run = lowered(R"( %i1 = OpSampledImage %sampled %i %repeat
 %x = OpImageSampleExplicitLod %float4 %i1 %at Lod %zero
 %i2 = OpSampledImage %sampled %i %s
 %y = OpImageSampleExplicitLod %int4 %i2 %place Lod %zero
 %z = OpImageSampleExplicitLod %half4 %i2 %at Lod %zero
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "\"image_sample_2d_f\" Import"));
    CHECK(contains(run.text, "\"image_fetch_2d_u\" Import"));
    CHECK(contains(run.text, "OpConstant %uint 39"));  // repeat, normalised, linear
    CHECK(contains(run.text, "OpFConvert %v4half"));
    CHECK(!contains(run.text, "OpSampledImage"));
    CHECK(!contains(run.text, "image_nearest"));
}

TEST_CASE("lower_images: a literal sampler that does not filter brings no filters") {
    const PassRun run = lowered(R"( %i1 = OpSampledImage %sampled %i %closest
 %x = OpImageSampleExplicitLod %float4 %i1 %at Lod %zero
 %y = OpImageSampleExplicitLod %int4 %i1 %at Lod %zero
 %z = OpImageSampleExplicitLod %float4 %i1 %place Lod %zero
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "\"image_nearest_2d_f\" Import"));
    CHECK(contains(run.text, "\"image_sample_2d_u\" Import"));
    CHECK(contains(run.text, "\"image_fetch_2d_f\" Import"));
    CHECK(!contains(run.text, "\"image_sample_2d_f\""));
}

TEST_CASE("lower_images: reading and writing without samplers, coordinates of other lengths") {
    const PassRun run = lowered(R"( %x = OpImageRead %float4 %b %place
 %y = OpImageRead %float4 %i %place
 %z = OpImageRead %int4 %l %place4
 OpImageWrite %b %place %place4
 OpImageWrite %d %place4 %one
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "\"image_read_2d_f\" Import"));
    CHECK(contains(run.text, "\"image_read_1d_array_u\" Import"));
    CHECK(contains(run.text, "OpVectorShuffle %v2uint"));
    CHECK(contains(run.text, "\"image_write_2d_u\" Import"));
    CHECK(contains(run.text, "\"image_write_2d_array_f\" Import"));
}

TEST_CASE("lower_images: queries are loads") {
    const PassRun run = lowered(R"( %x = OpImageQuerySizeLod %int3 %d %level
 %y = OpImageQueryFormat %u32 %b
 %z = OpImageQueryOrder %u32 %b
)");
    CHECK(run.error == "");
    for (const char* word : {"6", "7", "9", "10", "11"})  // width, height, layers, order, type
        CHECK(contains(run.text, std::string(" %uint_") + word + "\n"));
    CHECK(contains(run.text, "OpCompositeConstruct %v3uint"));
}

TEST_CASE("lower_images: a block of bytes needs a 2D image in memory") {
    const std::string read = " %x = OpSubgroupImageBlockReadINTEL %int2 ";
    CHECK(lowered(read + "%i %place\n").error == "");
    const std::string needs =
        "kernel 'k': a block of an image needs a 2D image, a coordinate of two 32-bit "
        "integers and a value of integers";
    CHECK(lowered(read + "%l %place\n").error == needs);
    CHECK(lowered(read + "%i %place4\n").error == needs);
    CHECK(lowered(" %x = OpSubgroupImageBlockReadINTEL %float2 %i %place\n").error == needs);
    CHECK(lowered(" OpSubgroupImageBlockWriteINTEL %l %place %level\n").error == needs);
    TranslateOptions hardware;
    hardware.images = Images::Hardware;
    CHECK(lowered(read + "%i %place\n", hardware).error ==
          "kernel 'k': blocks of an image's bytes need the image in memory (--images=memory)");
}

TEST_CASE("lower_images: what is declined") {
    TranslateOptions descriptors;
    descriptors.abi = Abi::Descriptors;
    CHECK(lowered("", descriptors).error ==
          "kernel 'k': images in memory need device addresses, which --abi=descriptors does not use");
    descriptors.profile.name = "old";
    descriptors.profile.buffer_device_address = false;
    CHECK(lowered("", descriptors).error ==
          "kernel 'k': images in memory need the feature bufferDeviceAddress, which old does not have");
}

const std::string kSampled = " %i1 = OpSampledImage %sampled %i %s\n";
const std::string kLevel = " %x = OpImageSampleExplicitLod %float4 %i1 %at Lod %one\n";

TEST_CASE("lower_images: levels by their numbers and by gradients") {
    const PassRun run =
        lowered(kSampled + kLevel + R"( %y = OpImageSampleExplicitLod %int4 %i1 %at Grad %at %at
 %z = OpImageQueryLevels %u32 %i
 %w = OpImageQuerySizeLod %int2 %i %second
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "\"image_sample_level_2d_f\" Import"));
    CHECK(contains(run.text, "\"image_sample_gradient_2d_u\" Import"));
    CHECK(contains(run.text, "\"image_levels\" Import"));
    CHECK(contains(run.text, "\"image_level\" Import"));
    const PassRun first = lowered(kSampled + " %x = OpImageSampleExplicitLod %float4 %i1 %at Lod %zero\n");
    CHECK(contains(first.text, "\"image_sample_2d_f\" Import"));
    CHECK(!contains(first.text, "level"));
}

TEST_CASE("lower_images: levels that are read without a sampler, or written") {
    const PassRun run = lowered(R"( %x = OpImageRead %float4 %b %place Lod %second
 OpImageWrite %b %place %place4 Lod %second
 OpImageWrite %d %place4 %one Lod %second
 OpImageWrite %b %place %place4 Lod %level
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "\"image_read_level_2d_f\" Import"));
    CHECK(contains(run.text, "\"image_write_level_2d_u\" Import"));
    CHECK(contains(run.text, "\"image_write_level_2d_array_f\" Import"));
    CHECK(contains(run.text, "\"image_write_2d_u\" Import"));
    CHECK(lowered(" OpImageWrite %b %place %place4 Lod %one\n").error ==
          "kernel 'k': the number of a level is not a 32-bit integer");
    TranslateOptions hardware;
    hardware.images = Images::Hardware;
    CHECK(lowered(" OpImageWrite %b %place %place4 Lod %second\n", hardware).error ==
          "kernel 'k': without a sampler, a level is read or written only of an image in memory "
          "(--images=memory)");
}

TEST_CASE("lower_images: levels in memory need addresses") {
    TranslateOptions table{.abi = Abi::Descriptors, .argument_table = true};
    const std::string needs =
        "kernel 'k': image levels (mipmaps) in memory need device addresses, which --abi=descriptors does "
        "not "
        "use";
    CHECK(lowered(kSampled + kLevel, table).error == needs);
    CHECK(lowered(" OpImageWrite %b %place %place4 Lod %second\n", table).error == needs);
    CHECK(lowered(" %x = OpImageQueryLevels %u32 %i\n", table).error == needs);
    CHECK(lowered(kSampled + " %x = OpImageSampleExplicitLod %float4 %i1 %place Lod %one\n").error ==
          "kernel 'k': levels of an image need real coordinates");
    for (const char* narrow : {"%at Lod %half", "%half2 Lod %one", "%at Grad %at %half2"})
        CHECK(lowered(kSampled + " %x = OpImageSampleExplicitLod %float4 %i1 " + narrow + "\n").error ==
              "kernel 'k': coordinates, gradients and levels of detail of an image need 32 bits");
}

}  // namespace
}  // namespace caldera::vulkan
