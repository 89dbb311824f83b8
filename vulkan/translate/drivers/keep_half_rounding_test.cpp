// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

TEST_CASE("keep_half_rounding: packed halves are masked by a number that nobody knows") {
    constexpr std::string_view kHead = R"(
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %groups
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %groups BuiltIn NumWorkgroups
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%one = OpConstant %float 1
%ones = OpConstantComposite %float2 %one %one
%input = OpTypePointer Input %uint3
%groups = OpVariable %input Input
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%packed = OpExtInst %uint %glsl PackHalf2x16 %ones
%back = OpExtInst %float2 %glsl UnpackHalf2x16 %packed
OpReturn
OpFunctionEnd
)";
    TranslateOptions options;
    options.profile.quirks.drops_half_rounding = true;
    const PassRun run = validated(run_passes(kHead, {keep_half_rounding}, options), spirv::Target::Vulkan11);
    REQUIRE_MESSAGE(run.error == "", run.error);
    CHECK(count(run.text, "OpBitwiseAnd %uint") == 1);
    CHECK(count(run.text, "OpSelect %uint") == 1);
    const size_t mask = run.text.find("OpBitwiseAnd"), unpacked = run.text.find("UnpackHalf2x16");
    CHECK(run.text.find("PackHalf2x16") < mask);
    CHECK(mask < unpacked);
    const std::string result = run.text.substr(run.text.rfind('%', mask), 4);
    CHECK(run.text.find(result.substr(0, result.find(' ')), unpacked) != std::string::npos);

    options.profile.quirks.drops_half_rounding = false;
    CHECK_FALSE(contains(run_passes(kHead, {keep_half_rounding}, options).text, "OpBitwiseAnd"));
}
