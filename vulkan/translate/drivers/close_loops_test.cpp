// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

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
%c2 = OpConstant %int 2
%array = OpTypeArray %int %c2
%array_ptr = OpTypePointer Function %array
%element_ptr = OpTypePointer Function %int
%private = OpTypePointer Private %int
%shared = OpVariable %private Private
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
%a = OpVariable %array_ptr Function
%b = OpVariable %array_ptr Function
OpBranch %header
)";

PassRun closed(std::string_view body, bool needed = true) {
    TranslateOptions options;
    options.profile.quirks.loop_results_need_phis = needed;
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
    CHECK(count(run.text, "OpInBoundsPtrAccessChain") == 2);
    CHECK(count(run.text, "OpPhi") == 4);  // i and j, and step behind each loop
    // The inner exit's condition is not the outer one's, which has not come true in there.
    CHECK(contains(run.text, "OpIMul %uint"));
}

TEST_CASE(
    "a loop that stores to private memory which is loaded behind it gets the exit, and so does the one "
    "around it") {
    // Both arrays are stored in the inner loop.
    const auto exits = [](std::string_view between, std::string_view behind) {
        const PassRun run = closed(R"(
%header = OpLabel
%a0 = OpAccessChain %element_ptr %a %c0
%a1 = OpAccessChain %element_ptr %a %c1
%b0 = OpAccessChain %element_ptr %b %c0
%b1 = OpAccessChain %element_ptr %b %c1
OpBranch %outer
%outer = OpLabel
%i = OpPhi %int %c0 %header %next %latch
OpLoopMerge %exit %latch None
OpBranch %inner
%inner = OpLabel
%j = OpPhi %int %c0 %outer %step %inner
OpStore %a0 %j
OpStore %b0 %j
%in_the_loop = OpLoad %int %a1
%step = OpIAdd %int %j %c1
%more = OpULessThan %bool %j %n
OpLoopMerge %between %inner None
OpBranchConditional %more %inner %between
%between = OpLabel
)" + std::string(between) + R"(
%again = OpULessThan %bool %i %n
OpBranchConditional %again %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %outer
%exit = OpLabel
)" + std::string(behind) + "OpReturn\n");
        REQUIRE(run.error == "");
        return count(run.text, "OpIEqual");
    };
    CHECK(exits("", "") == 0);
    CHECK(exits("OpStore %a1 %i\n", "OpStore %a0 %n\n") == 0);
    CHECK(exits("%x = OpLoad %int %a1\n", "") == 1);
    CHECK(exits("", "%x = OpLoad %int %b1\n") == 2);
    CHECK(exits("%x = OpLoad %int %a1\n", "%y = OpLoad %int %b0\n") == 2);
}

TEST_CASE("callers load what a loop stores to memory of module scope") {
    const PassRun run = closed(R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %header
OpStore %shared %i
%next = OpIAdd %int %i %c1
%again = OpULessThan %bool %i %n
OpLoopMerge %exit %header None
OpBranchConditional %again %header %exit
%exit = OpLabel
OpReturn
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpIEqual") == 1);
}

TEST_CASE("a loop with two ways out that leave different values gets a third") {
    const auto left = [](std::string_view phi) {
        return closed(R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %first
%first = OpLabel
%ended = OpIEqual %bool %i %n
OpBranchConditional %ended %exit %body
%body = OpLabel
%again = OpULessThan %bool %i %n
OpBranchConditional %again %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %header
%exit = OpLabel
)" + std::string(phi) +
                      "OpStore %out %n Aligned 4\nOpReturn\n");
    };
    const PassRun different = left("%way = OpPhi %int %c1 %first %c2 %body\n");
    REQUIRE(different.error == "");
    CHECK(contains(different.text, "NumWorkgroups"));
    for (std::string_view phi : {"", "%way = OpPhi %int %c1 %first %c1 %body\n"}) {
        const PassRun same = left(phi);
        REQUIRE(same.error == "");
        CHECK(!contains(same.text, "NumWorkgroups"));
    }
}
