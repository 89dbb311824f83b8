// SPDX-License-Identifier: Apache-2.0
// Zeros that are chosen beside a one, for a driver that takes -0 for 0 there.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kHead = R"(OpCapability Shader
OpCapability Float16
OpCapability Int64
OpCapability Int16
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k "k"
OpExecutionMode %k LocalSize 1 1 1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%float2 = OpTypeVector %float 2
%zero = OpConstant %float 0
%minus = OpConstant %float -0
%one = OpConstant %float 1
%minus_one = OpConstant %float -1
%two = OpConstant %float 2
%half_zero = OpConstant %half 0
%half_minus_one = OpConstant %half -1
%u0 = OpConstant %uint 0
%u_minus_one = OpConstant %uint 0xbf800000
%u1 = OpConstant %uint 1
%mixed = OpConstantComposite %float2 %two %minus
%ones = OpConstantComposite %float2 %one %one
%fn = OpTypeFunction %void %bool
%k = OpFunction %void None %fn
%c = OpFunctionParameter %bool
%entry = OpLabel
)";

bool is_hidden(std::string_view body, bool mixes_up = true) {
    TranslateOptions options;
    options.profile.quirks.mixes_up_selected_zeros = mixes_up;
    return contains(run_in_kernel(kHead, body, keep_selected_zeros, options), "NumWorkgroups");
}

}  // namespace

TEST_CASE("a zero is hidden where it is chosen beside the one of the other sign") {
    CHECK(is_hidden("%r = OpSelect %float %c %minus_one %zero\n"));
    CHECK(is_hidden("%r = OpSelect %float %c %zero %minus_one\n"));
    CHECK(is_hidden("%r = OpSelect %float %c %one %minus\n"));
    CHECK(is_hidden("%r = OpSelect %float %c %minus %one\n"));
    CHECK(is_hidden("%r = OpSelect %half %c %half_minus_one %half_zero\n"));
    CHECK(is_hidden("%r = OpSelect %float2 %c %ones %mixed\n"));
    CHECK(is_hidden("%r = OpSelect %uint %c %u_minus_one %u0\n"));
    CHECK(is_hidden(
        "OpSelectionMerge %end None\nOpBranchConditional %c %then %end\n%then = OpLabel\nOpBranch %end\n"
        "%end = OpLabel\n%r = OpPhi %float %zero %entry %minus_one %then\n"));
}

TEST_CASE("other choices stay, and so do all for other drivers") {
    CHECK(!is_hidden("%r = OpSelect %float %c %one %zero\n"));
    CHECK(!is_hidden("%r = OpSelect %float %c %minus_one %minus\n"));
    CHECK(!is_hidden("%r = OpSelect %float %c %two %minus\n"));
    CHECK(!is_hidden("%r = OpSelect %uint %c %u1 %u0\n"));
    CHECK(!is_hidden("%r = OpSelect %float %c %minus_one %zero\n", false));
}

}  // namespace caldera::vulkan
