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
 OpCapability LiteralSampler
 OpCapability Sampled1D
 OpCapability SampledBuffer
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %bool = OpTypeBool
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
 %cube = OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly
 %buffer = OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly
 %sampled = OpTypeSampledImage %image
 %sampled_cube = OpTypeSampledImage %cube
 %sampler = OpTypeSampler
 %edge = OpConstantSampler %sampler ClampToEdge 0 Nearest
 %repeat = OpConstantSampler %sampler Repeat 1 Linear
 %linear = OpConstantSampler %sampler ClampToEdge 0 Linear
 %zero = OpConstant %f32 0
 %one = OpConstant %f32 1
 %level = OpConstant %u32 0
 %second = OpConstant %u32 1
 %yes = OpConstantTrue %bool
 %place = OpConstantNull %int2
 %place4 = OpConstantNull %int4
 %at = OpConstantNull %float2
 %at4 = OpConstantNull %float4
 %fn = OpTypeFunction %void %image %image %both %depth %cube %buffer %sampler
 %k = OpFunction %void None %fn
 %i = OpFunctionParameter %image
 %j = OpFunctionParameter %image
 %b = OpFunctionParameter %both
 %d = OpFunctionParameter %depth
 %c = OpFunctionParameter %cube
 %l = OpFunctionParameter %buffer
 %s = OpFunctionParameter %sampler
 %entry = OpLabel
)" + body + " OpReturn\n OpFunctionEnd\n";
}
PassRun bound(const std::string& body, Abi abi = Abi::Descriptors) {
    TranslateOptions options{.abi = abi, .images = Images::Hardware};
    return run_passes(module_text(body), {check_supported, describe_kernels, lower_images, bind_images},
                      options);
}

TEST_CASE("bind_images: arguments are descriptors") {
    for (const Abi abi : {Abi::Descriptors, Abi::Addresses}) {
        const PassRun run = bound("", abi);
        CHECK(run.error == "");
        const auto& arguments = run.interface.kernels.at(0).arguments;
        REQUIRE(arguments.size() == 7);
        const ArgumentKind kinds[] = {ArgumentKind::SampledImage, ArgumentKind::SampledImage,
                                      ArgumentKind::StorageImage, ArgumentKind::StorageImage,
                                      ArgumentKind::SampledImage, ArgumentKind::UniformTexelBuffer,
                                      ArgumentKind::SamplerObject};
        for (uint32_t i = 0; i < 7; ++i) {
            CHECK(arguments[i].kind == kinds[i]);
            CHECK(arguments[i].binding == i);
            CHECK(arguments[i].size_bytes == 0);
        }
        CHECK(run.interface.argument_set == 0);
        CHECK(!contains(run.text, "OpTypeImage"));
    }
}

TEST_CASE("bind_images: reading and writing without samplers") {
    const PassRun run = bound(R"( %x = OpImageRead %float4 %i %place
 %y = OpImageRead %int4 %b %place
 %z = OpImageRead %half4 %l %level
 OpImageWrite %b %place %place4
 OpImageWrite %d %place4 %one
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "OpTypeImage %float 2D 0 0 0 1 Unknown"));
    CHECK(contains(run.text, "OpTypeImage %uint 2D 0 0 0 2 Unknown"));
    CHECK(contains(run.text, "OpTypeImage %float 2D 0 1 0 2 Unknown"));  // no depth: its texels are colours
    CHECK(contains(run.text, "OpTypeImage %float Buffer 0 0 0 1 Unknown"));
    CHECK(count(run.text, "OpImageFetch %v4float") == 2);
    CHECK(count(run.text, " Lod %uint_0") == 1);  // a texel buffer has no levels
    CHECK(contains(run.text, "OpImageRead %v4uint"));
    CHECK(contains(run.text, "OpFConvert %v4half"));
    CHECK(count(run.text, "OpImageWrite") == 2);
    CHECK(contains(run.text, "NonReadable"));
    CHECK(contains(run.text, "OpVectorShuffle %v3uint"));
}

TEST_CASE("bind_images: literal samplers are in set 0, the last one first, and arguments in set 1") {
    const PassRun run = bound(R"( %i1 = OpSampledImage %sampled %i %repeat
 %x = OpImageSampleExplicitLod %float4 %i1 %at Lod %zero
 %i2 = OpSampledImage %sampled %i %edge
 %y = OpImageSampleExplicitLod %int4 %i2 %place Lod %zero
)");
    CHECK(run.error == "");
    CHECK(run.interface.argument_set == 1);
    REQUIRE(run.interface.literal_samplers.size() == 2);
    CHECK(run.interface.literal_samplers[0].bits == 0x12);
    CHECK(run.interface.literal_samplers[1].bits == 0x27);
    CHECK(run.interface.kernels[0].has_linear_literals);
    CHECK(count(run.text, "DescriptorSet 0") == 2);
    CHECK(contains(run.text, "OpConvertSToF %v2float"));  // whole coordinates are centres of texels
    CHECK(contains(run.text, "OpImageSampleExplicitLod %v4uint"));
    CHECK(count(run.text, "OpSampledImage") == 2);
    CHECK(run.interface.kernels[0].arguments[0].texel_numbers == (kFloatTexels | kUnsignedTexels));
    const std::vector<ImageSampling> samplings = {
        {.image = 0, .literal_bits = 0x27, .texel_numbers = kFloatTexels},
        {.image = 0, .literal_bits = 0x12, .texel_numbers = kUnsignedTexels}};
    CHECK(run.interface.kernels[0].samplings == samplings);
    CHECK(run.interface.kernels[0].arguments[0].has_open_signs);
    CHECK(run.interface.kernels[0].arguments[1].texel_numbers == 0);
    CHECK_FALSE(run.interface.kernels[0].arguments[1].has_open_signs);
}

TEST_CASE("bind_images: what a sampler cannot do is computed") {
    const PassRun literal = bound(R"( %i1 = OpSampledImage %sampled_cube %c %edge
 %x = OpImageSampleExplicitLod %float4 %i1 %at4 Lod %zero
)");
    CHECK(literal.error == "");
    REQUIRE(literal.interface.literal_samplers.size() == 1);
    CHECK(literal.interface.literal_samplers[0].bits == 0x13);  // normalised coordinates
    CHECK_FALSE(literal.interface.kernels[0].has_linear_literals);
    CHECK(contains(literal.text, "OpImageQuerySizeLod %v3uint"));
    CHECK(contains(literal.text, "OpFDiv %v3float"));
    CHECK(contains(literal.text, "Floor"));
    const PassRun argument = bound(R"( %i1 = OpSampledImage %sampled_cube %c %s
 %x = OpImageSampleExplicitLod %float4 %i1 %at4 Lod %zero
 %i2 = OpSampledImage %sampled %i %s
 %y = OpImageSampleExplicitLod %float4 %i2 %at Lod %zero
)");
    CHECK(argument.error == "");
    CHECK(count(argument.text, "OpVariable %_ptr_Input_uint Input") == 1);
    CHECK(count(argument.text, "OpFDiv") == 2);  // the sampler is the same for the other image
    const PassRun whole = bound(R"( %i1 = OpSampledImage %sampled_cube %c %s
 %x = OpImageSampleExplicitLod %float4 %i1 %place4 Lod %zero
)");
    CHECK(contains(whole.text, "OpVariable %_ptr_Input_uint Input"));  // so that the host knows
}

TEST_CASE("bind_images: one sampler argument for whole and for real coordinates") {
    const auto exact = [](const std::string& text) {
        return run_passes(text, {check_supported, describe_kernels, lower_images, bind_images},
                          {.images = Images::Hardware, .exact_nearest = true});
    };
    const std::string both = R"( %i1 = OpSampledImage %sampled %i %s
 %x = OpImageSampleExplicitLod %float4 %i1 %place Lod %zero
 %y = OpImageSampleExplicitLod %float4 %i1 %at Lod %zero
)";
    // Vulkan's sampler counts texels if OpenCL's does: only a nearest texel of a normalised one is divided.
    std::string without_volume = module_text(both);
    without_volume.replace(without_volume.find("%void 3D"), 8, "%void 1D");
    const PassRun counted = exact(without_volume);
    CHECK(counted.error == "");
    CHECK_FALSE(normalizes_samplers(counted.interface.kernels[0]));
    CHECK(count(counted.text, "OpFDiv") == 1);
    // A 3D image makes it a normalised one for both.
    const PassRun normalized = exact(module_text(both + R"( %i2 = OpSampledImage %sampled_cube %c %edge
 %z = OpImageSampleExplicitLod %float4 %i2 %place4 Lod %zero
)"));
    CHECK(normalized.error == "");
    CHECK(normalizes_samplers(normalized.interface.kernels[0]));
    CHECK(count(normalized.text, "OpFDiv") == 4);  // whole, nearest, filtered, and the 3D image's
}

TEST_CASE("bind_images: the slices of 3D images") {
    const auto sliced = [](const std::string& body) {
        const TranslateOptions options{
            .images = Images::Hardware, .exact_nearest = true, .volumes_as_slices = true};
        return run_passes(module_text(body), {check_supported, describe_kernels, lower_images, bind_images},
                          options);
    };
    const PassRun literal = sliced(R"( %i1 = OpSampledImage %sampled_cube %c %repeat
 %x = OpImageSampleExplicitLod %float4 %i1 %at4 Lod %zero
 %size = OpImageQuerySizeLod %int3 %c %level
)");
    CHECK(literal.error == "");
    CHECK(!contains(literal.text, " 3D "));
    CHECK(contains(literal.text, "OpTypeImage %float 2D 0 1 0 1 Unknown"));
    CHECK(count(literal.text, "OpImageSampleExplicitLod") == 2);
    CHECK(count(literal.text, "OpVectorTimesScalar") == 2);
    REQUIRE(literal.interface.literal_samplers.size() == 1);
    CHECK(literal.interface.literal_samplers[0].bits == 0x27);
    CHECK(literal.interface.kernels[0].has_linear_literals);
    CHECK(literal.interface.kernels[0].arguments[4].image_shape == ImageShape::Image3D);
    const PassRun nearest = sliced(R"( %i1 = OpSampledImage %sampled_cube %c %edge
 %x = OpImageSampleExplicitLod %float4 %i1 %at4 Lod %zero
)");
    CHECK(nearest.error == "");
    CHECK(count(nearest.text, "OpImageSampleExplicitLod") == 1);
    CHECK(nearest.interface.literal_samplers[0].bits == 0x13);
    // Such an array has one level, so that the kernel reads none.
    const PassRun argument = sliced(R"( %i1 = OpSampledImage %sampled_cube %c %s
 %x = OpImageSampleExplicitLod %float4 %i1 %at4 Lod %one
)");
    CHECK(argument.error == "");
    CHECK(count(argument.text, "OpImageSampleExplicitLod") == 2);
    CHECK(count(argument.text, " Lod %float_0") == 2);
    CHECK(contains(argument.text, "OpVariable %_ptr_Input_uint Input"));  // the sampler's bits
    CHECK_FALSE(argument.interface.kernels[0].arguments[4].reads_levels);
    // Coordinates that count texels are right in each direction.
    const PassRun counted = sliced(R"( %texels = OpSampledImage %sampled_cube %c %linear
 %x = OpImageSampleExplicitLod %float4 %texels %at4 Lod %zero
)");
    CHECK(counted.error == "");
    CHECK(counted.interface.literal_samplers[0].bits == 0x23);
}

TEST_CASE("bind_images: what samplers and kernels must do") {
    CHECK(vulkan_sampler_bits(kSamplerRepeat) == kSamplerClampToEdge);
    CHECK(vulkan_sampler_bits(kSamplerMirroredRepeat | kSamplerLinear) ==
          (kSamplerClampToEdge | kSamplerLinear));
    for (const uint32_t bits : {kSamplerNormalized | kSamplerRepeat, kSamplerClamp | kSamplerNearest,
                                uint32_t{kSamplerAddressNone}})
        CHECK(vulkan_sampler_bits(bits) == bits);
    Kernel kernel{.arguments = {{.kind = ArgumentKind::StorageImage, .image_shape = ImageShape::Image3D},
                                {.kind = ArgumentKind::SampledImage, .image_shape = ImageShape::Image2D}}};
    CHECK(!normalizes_samplers(kernel));
    kernel.arguments[1].image_shape = ImageShape::Image1DArray;
    CHECK(normalizes_samplers(kernel));
}

TEST_CASE("bind_images: one of several images") {
    const PassRun run = bound(R"( %which = OpSelect %image %yes %i %j
 %x = OpImageRead %float4 %which %place
 %size = OpImageQuerySizeLod %int2 %which %level
)");
    CHECK(run.error == "");
    CHECK(count(run.text, "OpImageFetch") == 2);
    CHECK(count(run.text, "OpImageQuerySizeLod") == 2);
    CHECK(count(run.text, "OpSelect %v4float") == 1);
    CHECK(contains(run.text, "OpSelect %uint %true %uint_0 %uint_1"));
}

TEST_CASE("bind_images: an image that is only asked has the numbers of its type") {
    const PassRun run = bound(R"( %size = OpImageQuerySizeLod %int2 %i %level
 %n = OpImageQueryLevels %u32 %c
 %width = OpImageQuerySize %u32 %l
 %order = OpImageQueryOrder %u32 %j
 %both_size = OpImageQuerySize %int2 %b
 %y = OpImageRead %int4 %b %place
)");
    CHECK(run.error == "");
    const auto& arguments = run.interface.kernels.at(0).arguments;
    CHECK(arguments[0].texel_numbers == kFloatTexels);
    CHECK(arguments[1].texel_numbers == 0);  // the host says the order
    CHECK(arguments[2].texel_numbers == kUnsignedTexels);
    CHECK(arguments[3].texel_numbers == 0);
    CHECK(arguments[4].texel_numbers == kFloatTexels);
    CHECK(arguments[5].texel_numbers == kFloatTexels);
}

TEST_CASE("bind_images: what is sampled of an undefined image is undefined") {
    const PassRun run = bound(R"( %none = OpUndef %sampled
 %x = OpImageSampleExplicitLod %float4 %none %at Lod %zero
 %y = OpImageSampleExplicitLod %float4 %none %at Lod %one
 OpImageWrite %b %place %x
)");
    CHECK(run.error == "");
    CHECK(count(run.text, "OpImageSample") == 0);
}

TEST_CASE("bind_images: texels of two components are declined") {
    CHECK(contains(bound(" OpImageWrite %b %place %place\n").error, "a texel has four components"));
    CHECK(contains(bound(" %x = OpImageRead %float2 %i %place\n").error, "a texel has four components"));
}

TEST_CASE("bind_images: levels") {
    const PassRun run = bound(R"( %i1 = OpSampledImage %sampled %i %edge
 %x = OpImageSampleExplicitLod %float4 %i1 %at Lod %one
 %i2 = OpSampledImage %sampled_cube %c %s
 %y = OpImageSampleExplicitLod %float4 %i2 %at4 Grad %at4 %at4
 %size = OpImageQuerySizeLod %int2 %i %second
 %n = OpImageQueryLevels %u32 %i
 %m = OpImageQueryLevels %u32 %b
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "Lod %float_1"));
    CHECK(count(run.text, " Grad ") == 1);
    CHECK(count(run.text, " %uint_1\n") == 1);                // the size of that level
    CHECK(count(run.text, "OpVectorShuffle %v3float") == 3);  // the place and both gradients
    CHECK(count(run.text, "OpImageQueryLevels") == 1);        // a storage image has one
    CHECK(run.interface.kernels[0].arguments[0].reads_levels);
    CHECK_FALSE(run.interface.kernels[0].arguments[1].reads_levels);
    CHECK(run.interface.kernels[0].arguments[4].reads_levels);
    CHECK(run.interface.literal_samplers[0].bits == 0x13);  // the kernel divides by the size
    CHECK(!contains(run.text,
                    "OpVariable %_ptr_Input_uint Input"));  // a sampler that reads levels is normalised
}

TEST_CASE("bind_images: levels that are declined") {
    const auto error = [](const std::string& body) { return bound(body).error; };
    CHECK(error(R"( %i1 = OpSampledImage %sampled %i %edge
 %x = OpImageSampleExplicitLod %float4 %i1 %place Lod %one
)") == "kernel 'k': levels of an image need real coordinates");
    CHECK(error(" %x = OpImageRead %float4 %i %place Sample %level\n") ==
          "kernel 'k': only a multisampled image has samples");
    CHECK(error(" %x = OpImageRead %float4 %i %place Lod %level\n") == "");
}

TEST_CASE("bind_images: samplers read no storage images") {
    const std::string sampled = " %sampled_both = OpTypeSampledImage %both\n";
    const auto error = [&](const std::string& access, const std::string& operands, Images images) {
        std::string text = module_text(
            " %both_s = OpSampledImage %sampled_both %b %s\n"
            " %x = OpImageSampleExplicitLod %float4 %both_s %at " +
            operands + "\n");
        text.replace(text.find("Unknown ReadWrite"), 17, "Unknown " + access);
        text.insert(text.find(" %sampled_cube ="), sampled);
        return run_passes(text, {check_supported, describe_kernels, lower_images, bind_images},
                          {.images = images})
            .error;
    };
    for (const std::string operands : {"Lod %zero", "Lod %one", "Grad %at %at"}) {
        CHECK(error("ReadWrite", operands, Images::Hardware) ==
              "kernel 'k': an image that is read with a sampler must be read_only: Vulkan samples no storage "
              "image");
        CHECK(error("ReadWrite", operands, Images::Memory) == "");
        for (const Images images : {Images::Hardware, Images::Memory})
            CHECK(error("WriteOnly", operands, images) ==
                  "kernel 'k': it reads an image whose type is WriteOnly (write_only)");
    }
}

TEST_CASE("bind_images: the qualifier of an image's type allows what is done with it") {
    for (const Images images : {Images::Hardware, Images::Memory}) {
        const auto error = [&](const std::string& body) {
            return run_passes(module_text(body),
                              {check_supported, describe_kernels, lower_images, bind_images},
                              {.images = images})
                .error;
        };
        CHECK(error(" OpImageWrite %i %place %at4\n") ==
              "kernel 'k': it writes an image whose type is ReadOnly (read_only)");
        CHECK(error(" %x = OpImageRead %float4 %d %place4\n") ==
              "kernel 'k': it reads an image whose type is WriteOnly (write_only)");
        if (images == Images::Memory)
            CHECK(error(" OpSubgroupImageBlockWriteINTEL %i %place %place4\n") ==
                  "kernel 'k': it writes an image whose type is ReadOnly (read_only)");
        CHECK(error(" %x = OpImageQuerySizeLod %int3 %d %level\n") == "");
    }
}

TEST_CASE("bind_images: formats of storage images") {
    TranslateOptions options{.abi = Abi::Descriptors, .images = Images::Hardware};
    options.profile.storage_write_without_format = options.profile.storage_read_without_format = false;
    options.storage_formats = {"r32f", "rgba8ui", "r32i"};
    const auto with_formats = [&](const std::string& body) {
        return run_passes(module_text(body), {check_supported, describe_kernels, lower_images, bind_images},
                          options);
    };
    const PassRun run = with_formats(R"( %x = OpImageRead %int4 %b %place
 OpImageWrite %b %place %place4
 OpImageWrite %d %place4 %one
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, "OpTypeImage %uint 2D 0 0 0 2 Rgba8ui"));
    CHECK(contains(run.text, "OpTypeImage %float 2D 0 1 0 2 R32f"));
    CHECK(run.interface.kernels[0].arguments[2].image_format == "rgba8ui");
    CHECK(run.interface.kernels[0].arguments[3].image_format == "r32f");
    CHECK(run.interface.kernels[0].arguments[0].image_format.empty());
    CHECK(with_formats(" %x = OpImageRead %float4 %b %place\n OpImageWrite %b %place %place4\n").error ==
          "kernel 'k': its argument 2 is an image of the format r32f and of rgba8ui (storage formats): the "
          "kernel uses it as floats and as integers, or as signed and unsigned ones");
    CHECK(with_formats(" %x = OpImageRead %float4 %i %place\n %y = OpImageRead %int4 %i %place\n").error ==
          "");  // a sampled image has no format
}

TEST_CASE("bind_images: what launches with textures keep in memory") {
    TranslateOptions options{.images = Images::Hardware, .exact_nearest = true};
    options.profile.storage_read_without_format = false;
    const PassRun run = run_passes(module_text(R"( %x = OpImageRead %float4 %b %place
 %y = OpImageRead %float4 %l %level
 OpImageWrite %d %place4 %one
)"),
                                   {check_supported, describe_kernels, lower_images, bind_images}, options);
    CHECK(run.error == "");
    const auto& arguments = run.interface.kernels.at(0).arguments;
    CHECK(arguments[0].kind == ArgumentKind::SampledImage);
    CHECK(arguments[2].kind == ArgumentKind::Image);
    CHECK(arguments[3].kind == ArgumentKind::StorageImage);
    CHECK(arguments[5].kind == ArgumentKind::Image);
}

TEST_CASE("bind_images: what is declined") {
    TranslateOptions options{.abi = Abi::Descriptors, .images = Images::Hardware};
    options.profile.name = "old";
    options.profile.storage_write_without_format = options.profile.storage_read_without_format = false;
    const auto error = [&](const std::string& body) {
        return run_passes(module_text(body), {check_supported}, options).error;
    };
    CHECK(error(" OpImageWrite %b %place %place4\n") ==
          "kernel 'k': writing images needs the feature shaderStorageImageWriteWithoutFormat, which old does "
          "not "
          "have");
    CHECK(
        error(" %x = OpImageRead %float4 %b %place\n") ==
        "kernel 'k': reading a read_write image needs the feature shaderStorageImageReadWithoutFormat, which "
        "old does not have");
    CHECK(error(" %x = OpImageRead %float4 %i %place\n") == "");
}

}  // namespace
}  // namespace caldera::vulkan
