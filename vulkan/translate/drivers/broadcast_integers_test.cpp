// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

TEST_CASE("broadcast_integers: floats of the first active work-item are broadcast as hidden bits") {
    constexpr std::string_view kModule = R"(
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpCapability Float16
OpCapability Float64
OpCapability Int16
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %groups
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %groups BuiltIn NumWorkgroups
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%float2 = OpTypeVector %float 2
%double = OpTypeFloat 64
%one = OpConstant %float 1
%two = OpConstant %double 2
%ones = OpConstantComposite %float2 %one %one
%small = OpConstant %half 1
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
%narrow = OpGroupNonUniformBroadcastFirst %half %three %small
%both = OpGroupNonUniformBroadcastFirst %float2 %three %ones
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
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %uint") == 4);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %ulong") == 1);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %ushort") == 1);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst") == 6);
    CHECK(count(run.text, "OpBitwiseAnd %uint") == 3);
    CHECK(count(run.text, "OpBitwiseAnd %ulong") == 1);
    CHECK(count(run.text, "OpBitwiseAnd %ushort") == 1);

    // A half is a float, and a double is two words, where the device has no integers as wide.
    options.profile.int16 = options.profile.int64 = false;
    run = run_pass();
    REQUIRE_MESSAGE(run.error == "", run.error);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst %uint") == 7);
    CHECK(count(run.text, "OpGroupNonUniformBroadcastFirst") == 7);
    CHECK(count(run.text, "OpFConvert %float ") == 1);
    CHECK(count(run.text, "OpFConvert %half ") == 1);

    options.profile.quirks.broadcasts_no_floats = false;
    run = run_pass();
    CHECK(run.error == "");
    CHECK_FALSE(contains(run.text, "OpBitwiseAnd"));
}
