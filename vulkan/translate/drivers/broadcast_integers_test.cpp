// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

TEST_CASE("broadcast_integers: floats of the first active work-item are broadcast as hidden bits") {
    constexpr std::string_view kModule = R"(
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpCapability Float64
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %groups
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %groups BuiltIn NumWorkgroups
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%one = OpConstant %float 1
%two = OpConstant %double 2
%three = OpConstant %uint 3
%input = OpTypePointer Input %uint3
%groups = OpVariable %input Input
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%sum = OpFAdd %float %one %one
%first = OpGroupNonUniformBroadcastFirst %float %three %sum
%again = OpFAdd %float %first %one
%wide = OpGroupNonUniformBroadcastFirst %double %three %two
%index = OpGroupNonUniformBroadcastFirst %uint %three %three
OpReturn
OpFunctionEnd
)";
    TranslateOptions options;
    options.profile.quirks.broadcasts_no_floats = true;
    const auto run_pass = [&] {
        return validated(run_passes(kModule, {broadcast_integers}, options, {}, spirv::Target::Vulkan13),
                         spirv::Target::Vulkan13);
    };
    PassRun run = run_pass();
    REQUIRE_MESSAGE(run.error == "", run.error);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %uint") == 2);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %float") == 0);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %ulong") == 1);
    CHECK(count(run.text, "OpBitwiseAnd %uint") == 1);
    CHECK(count(run.text, "OpBitwiseAnd %ulong") == 1);
    CHECK(count(run.text, "OpBitcast %float") == 1);
    CHECK(count(run.text, "OpBitcast %double") == 1);

    options.profile.quirks.broadcasts_no_floats = false;
    run = run_pass();
    CHECK(run.error == "");
    CHECK_FALSE(contains(run.text, "OpBitwiseAnd"));
}
