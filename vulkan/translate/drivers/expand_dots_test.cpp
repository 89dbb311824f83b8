// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

TEST_CASE("expand_dots: a dot product becomes a product and Fma, or products and sums") {
    constexpr std::string_view kModule = R"(
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%float = OpTypeFloat 32
%float3 = OpTypeVector %float 3
%zero = OpConstant %float 0
%one = OpConstant %float 1
%x = OpConstantComposite %float3 %zero %one %one
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%dot = OpDot %float %x %x
%twice = OpFAdd %float %dot %dot
OpReturn
OpFunctionEnd
)";
    TranslateOptions options;
    options.profile.quirks.drops_zeros_in_dots = true;
    options.profile.fused_fma = true;
    const PassRun fused = validated(run_passes(kModule, {expand_dots}, options), spirv::Target::Vulkan11);
    REQUIRE_MESSAGE(fused.error == "", fused.error);
    CHECK(count(fused.text, "OpDot") == 0);
    CHECK(count(fused.text, "OpFMul") == 1);
    CHECK(count(fused.text, "Fma") == 2);
    options.profile.fused_fma = false;
    const PassRun apart = validated(run_passes(kModule, {expand_dots}, options), spirv::Target::Vulkan11);
    CHECK(count(apart.text, "OpFMul") == 3);
    CHECK(count(apart.text, "OpFAdd") == 3);
    options.profile.quirks.drops_zeros_in_dots = false;
    CHECK(count(run_passes(kModule, {expand_dots}, options).text, "OpDot") == 1);
}
