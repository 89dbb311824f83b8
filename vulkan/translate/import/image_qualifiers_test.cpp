// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel with three images of a type without a qualifier, and a function that has one more.
std::string module_text(const std::string& body, const std::string& callee = "") {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability ImageBasic
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpName %i "i"
 OpName %j "j"
 OpName %l "l"
 OpName %fi "fi"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %f32 = OpTypeFloat 32
 %int2 = OpTypeVector %u32 2
 %float2 = OpTypeVector %f32 2
 %float4 = OpTypeVector %f32 4
 %image = OpTypeImage %void 2D 0 0 0 0 Unknown
 %sampled = OpTypeSampledImage %image
 %sampler = OpTypeSampler
 %kept = OpTypePointer Function %image
 %zero = OpConstantNull %f32
 %yes = OpConstantTrue %bool
 %place = OpConstantNull %int2
 %at = OpConstantNull %float2
 %texel = OpConstantNull %float4
 %fn = OpTypeFunction %void %image %image %image %sampler
 %ffn = OpTypeFunction %void %image
 %k = OpFunction %void None %fn
 %i = OpFunctionParameter %image
 %j = OpFunctionParameter %image
 %l = OpFunctionParameter %image
 %s = OpFunctionParameter %sampler
 %entry = OpLabel
)" + body + R"( OpReturn
 OpFunctionEnd
 %f = OpFunction %void None %ffn
 %fi = OpFunctionParameter %image
 %fentry = OpLabel
)" + callee +
           " OpReturn\n OpFunctionEnd\n";
}
/// The qualifiers of the arguments of each kind, "?" where a type has none.
std::string qualifiers(const PassRun& run) {
    std::string found;
    for (const char* name : {"%i", "%j", "%l", "%fi"}) {
        const std::string definition = std::string(name) + " = OpFunctionParameter ";
        const size_t at = run.text.find(definition) + definition.size();
        const std::string type = run.text.substr(at, run.text.find('\n', at) - at) + " = OpTypeImage ";
        const size_t type_at = run.text.find(type);
        const std::string line = run.text.substr(type_at, run.text.find('\n', type_at) - type_at);
        const std::string last = line.substr(line.rfind(' ') + 1);
        found += last == "ReadOnly" ? 'r' : last == "WriteOnly" ? 'w' : last == "ReadWrite" ? 'b' : '?';
    }
    return found;
}
std::string imported(const std::string& body, const std::string& callee = "") {
    const PassRun run = run_passes(module_text(body, callee), {import_module});
    CHECK(run.error == "");
    return qualifiers(run);
}

TEST_CASE("qualify_images: what is done with an image is its qualifier") {
    CHECK(imported("") == "rrrr");
    const std::string sample =
        " %is = OpSampledImage %sampled %i %s\n %x = OpImageSampleExplicitLod %float4 %is %at Lod %zero\n";
    const std::string write = " OpImageWrite %j %place %texel\n";
    CHECK(imported(sample + write) == "rwrr");
    CHECK(imported(sample + write + " %y = OpImageRead %float4 %j %place\n") == "rbrr");
}

TEST_CASE("qualify_images: images that may be the same one") {
    const std::string call = " %c = OpFunctionCall %void %f %i\n",
                      write = " OpImageWrite %fi %place %texel\n";
    CHECK(imported(call, write) == "wrrw");
    CHECK(imported(" %x = OpImageRead %float4 %i %place\n" + call, write) == "brrb");
    CHECK(imported(" %c = OpSelect %image %yes %i %l\n OpImageWrite %c %place %texel\n") == "wrwr");
    CHECK(imported(" %v = OpVariable %kept Function\n OpStore %v %l\n %c = OpLoad %image %v\n"
                   " OpImageWrite %c %place %texel\n %x = OpImageRead %float4 %j %place\n") == "rrwr");
}

TEST_CASE("qualify_images: a storage image is what a kernel writes, and a sampled one what it samples") {
    TranslateOptions options{.images = Images::Hardware};
    const PassRun run = run_passes(
        module_text(" %is = OpSampledImage %sampled %i %s\n"
                    " %x = OpImageSampleExplicitLod %float4 %is %at Lod %zero\n OpImageWrite %j %place %x\n"),
        {import_module, check_supported, describe_kernels, lower_images, bind_images}, options);
    CHECK(run.error == "");
    const auto& arguments = run.interface.kernels.at(0).arguments;
    CHECK(arguments[0].kind == ArgumentKind::SampledImage);
    CHECK(arguments[1].kind == ArgumentKind::StorageImage);
    CHECK(arguments[1].access == ArgumentAccess::WriteOnly);
    CHECK(arguments[2].kind == ArgumentKind::SampledImage);
}

}  // namespace
}  // namespace caldera::vulkan
