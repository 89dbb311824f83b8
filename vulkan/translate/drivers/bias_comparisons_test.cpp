// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%bool2 = OpTypeVector %bool 2
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%long2 = OpTypeVector %long 2
%i5 = OpConstant %int 5
%l0 = OpConstant %long 0
%l5 = OpConstant %long 5
%pair = OpConstantComposite %long2 %l0 %l5
%fn = OpTypeFunction %void %int %long %long %long2
%k = OpFunction %void None %fn
%i = OpFunctionParameter %int
%a = OpFunctionParameter %long
%b = OpFunctionParameter %long
%v = OpFunctionParameter %long2
%entry = OpLabel
)";

std::string biased(std::string_view body, bool wrong = true) {
    TranslateOptions options;
    options.profile.quirks.wrong_long_comparisons = wrong;
    return run_in_kernel(kHead, body, bias_comparisons, options);
}

}  // namespace

TEST_CASE("a signed comparison with a 64-bit constant is an unsigned one of biased numbers") {
    const std::string text = biased("%less = OpSLessThan %bool %a %l5\n");
    CHECK(contains(text, "OpBitwiseXor %ulong "));
    CHECK(contains(text, "OpConstant %ulong 9223372036854775813"));
    CHECK(contains(text, "OpULessThan %bool"));
    CHECK(contains(biased("%more = OpSGreaterThanEqual %bool %l0 %a\n"),
                   "OpUGreaterThanEqual %bool %ulong_9223372036854775808 %"));
    CHECK(contains(biased("%less = OpSLessThanEqual %bool2 %v %pair\n"), "OpULessThanEqual %v2bool"));
    CHECK(contains(biased("%less = OpSLessThan %bool %a %l5\n", false), "OpSLessThan"));
}

TEST_CASE("neither operand needs to be constant yet: Mesa may find that it is") {
    const std::string text = biased("%less = OpSLessThan %bool %a %b\n");
    CHECK(contains(text, "OpULessThan %bool"));
    CHECK(count(text, "OpBitwiseXor %ulong ") == 2);
}

TEST_CASE("other comparisons stay, and those of what counts a loop with constants") {
    CHECK(contains(biased("%less = OpSLessThan %bool %i %i5\n"), "OpSLessThan"));
    const auto loop = [](std::string_view first, std::string_view step, std::string_view limit) {
        return "OpBranch %header\n%header = OpLabel\n%n = OpPhi %long " + std::string(first) +
               " %entry %next %latch\n%more = OpSLessThan %bool %n " + std::string(limit) +
               "\nOpLoopMerge %after %latch None\nOpBranchConditional %more %latch %after\n%latch = OpLabel\n"
               "%next = " +
               std::string(step) +
               "\n%last = OpSLessThan %bool %next %l5\nOpBranch %header\n%after = OpLabel\n";
    };
    CHECK(!contains(biased(loop("%l0", "OpIAdd %long %n %l5", "%l5")), "OpULessThan"));
    CHECK(!contains(biased(loop("%l0", "OpISub %long %n %l5", "%l5")), "OpULessThan"));
    // Only one of two comparisons has constants alone on both sides after unrolling.
    CHECK(count(biased(loop("%l0", "OpIAdd %long %l5 %n", "%a")), "OpULessThan") == 1);
    for (const std::string& other :
         {loop("%a", "OpIAdd %long %n %l5", "%l5"), loop("%l0", "OpIAdd %long %n %a", "%l5"),
          loop("%l0", "OpISub %long %l5 %n", "%l5")})
        CHECK(count(biased(other), "OpULessThan") == 2);
}
