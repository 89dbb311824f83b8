// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/passes/pass_test.h"

#include <algorithm>

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%global = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %global %int
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
OpBranch %header
)";

PassRun closed(std::string_view body, bool needed = true) {
    TranslateOptions options;
    options.profile.loop_results_need_phis = needed;
    return run_passes(std::string(kHead) + std::string(body) + "OpFunctionEnd\n", {close_loops}, options);
}

// The loop is left from its middle, and %v is used behind it.
constexpr std::string_view kMiddle = R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %body
%body = OpLabel
%v = OpIMul %int %i %n
%again = OpULessThan %bool %v %n
OpBranchConditional %again %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %header
%exit = OpLabel
OpStore %out %v Aligned 4
OpReturn
)";

}  // namespace

TEST_CASE("a value left behind by a loop becomes a phi of two exits") {
    const PassRun run = closed(kMiddle);
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "BuiltIn NumWorkgroups"));
    const size_t phi = run.text.find("OpPhi", run.text.find("OpPhi") + 1);
    REQUIRE(phi != std::string::npos);
    const std::string line = run.text.substr(phi, run.text.find('\n', phi) - phi);
    CHECK(std::ranges::count(line, '%') ==
          5);  // its type, the value, the loop's old exit, zero, the new exit
}

TEST_CASE("a device that keeps values gets no second exit") {
    const PassRun run = closed(kMiddle, false);
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "NumWorkgroups"));
}

TEST_CASE("phis of the header are safe, and so is what does not change in the loop") {
    const PassRun run = closed(R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %body
%body = OpLabel
%twice = OpIAdd %int %n %n
%again = OpULessThan %bool %i %n
OpBranchConditional %again %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %twice
OpBranch %header
%exit = OpLabel
%sum = OpIAdd %int %i %twice
OpStore %out %sum Aligned 4
OpReturn
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "NumWorkgroups"));
}

TEST_CASE("a value that leaves two loops becomes a phi behind each; a pointer is computed again") {
    const PassRun run = closed(R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %inner
%inner = OpLabel
%j = OpPhi %int %c0 %header %step %inner
%p = OpInBoundsPtrAccessChain %global %out %j
%step = OpIAdd %int %j %i
%more = OpULessThan %bool %step %n
OpLoopMerge %between %inner None
OpBranchConditional %more %inner %between
%between = OpLabel
OpStore %p %i Aligned 4
%again = OpULessThan %bool %i %step
OpBranchConditional %again %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %header
%exit = OpLabel
OpStore %out %step Aligned 4
OpReturn
)");
    REQUIRE(run.error == "");
    size_t chains = 0;
    for (size_t at = 0; (at = run.text.find("OpInBoundsPtrAccessChain", at)) != std::string::npos; ++at)
        ++chains;
    CHECK(chains == 2);
    size_t phis = 0;
    for (size_t at = 0; (at = run.text.find("OpPhi", at)) != std::string::npos; ++at) ++phis;
    CHECK(phis == 4);  // i and j, and step behind each loop
    // The inner exit's condition is not the outer one's, which has not come true in there.
    CHECK(contains(run.text, "OpIMul %uint"));
}
