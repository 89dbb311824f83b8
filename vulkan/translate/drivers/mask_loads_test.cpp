// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %k "k"
OpExecutionMode %k LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%v2uint = OpTypeVector %uint 2
%block = OpTypeStruct %uint
%pointer = OpTypePointer PhysicalStorageBuffer %uint
%fn = OpTypeFunction %void %bool %ulong %v2uint
%k = OpFunction %void None %fn
%c = OpFunctionParameter %bool
%a = OpFunctionParameter %ulong
%w = OpFunctionParameter %v2uint
%entry = OpLabel
)";

std::string masked(std::string_view body, bool loads_for_nobody = true) {
    TranslateOptions options;
    options.profile.quirks = {};
    options.profile.quirks.loads_for_nobody = loads_for_nobody;
    options.profile.subgroups = true;
    return run_in_kernel(kHead, body, mask_loads, options);
}

constexpr std::string_view kGuarded = R"(
%p = OpConvertUToPtr %pointer %a
%q = OpBitcast %pointer %w
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
%x = OpLoad %uint %p Aligned 4
%y = OpLoad %uint %q Aligned 4
OpBranch %end
%end = OpLabel
)";

}  // namespace

TEST_CASE("mask_loads: guarded loads get an address that looks different for each invocation") {
    const std::string text = masked(kGuarded);
    CHECK(count(text, "OpIAdd %ulong") == 1);
    CHECK(count(text, "OpIAdd %v2uint") == 1);  // an address of two words
    CHECK(count(text, "OpConvertUToPtr") == 2);
    CHECK(contains(text, "SubgroupLocalInvocationId"));
    CHECK(!contains(masked(kGuarded, false), "OpIAdd"));
}

TEST_CASE("mask_loads: a load that no branch skips keeps its address") {
    const std::string text = masked(R"(
%p = OpConvertUToPtr %pointer %a
%x = OpLoad %uint %p Aligned 4
)");
    CHECK(!contains(text, "OpIAdd"));
}
