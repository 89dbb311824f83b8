// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/nested_loops.h"
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// After the pass, which must succeed and leave what SPIR-V calls structured: a kernel with these blocks,
/// from %header to %exit.
std::string repeated(std::string_view blocks, bool needed = true, MemoryChecks checks = MemoryChecks::None) {
    TranslateOptions options;
    options.checks = checks;
    options.profile.quirks.ends_long_loops = needed;
    const PassRun run = validated(run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c20 = OpConstant %int 20
%c100 = OpConstant %int 100
%global = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %global %int
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
OpBranch %header
)" + std::string(blocks) + "OpReturn\nOpFunctionEnd\n",
                                             {repeat_loops}, options),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return run.text;
}

/// while (i < bound) { sum *= n; i += 1; } *out = sum;
std::string counted(std::string_view bound) {
    return R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
%sum = OpPhi %int %n %entry %more %latch
OpLoopMerge %exit %latch None
OpBranch %test
%test = OpLabel
%in = OpULessThan %bool %i )" +
           std::string(bound) + R"(
OpBranchConditional %in %body %exit
%body = OpLabel
%more = OpIMul %int %sum %n
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %header
%exit = OpLabel
OpStore %out %sum Aligned 4
)";
}

}  // namespace

TEST_CASE("repeat_loops: one jump back for many turns") {
    const std::string text = repeated(counted("%n"));
    CHECK(count(text, "OpLoopMerge") == 1);
    CHECK(count(text, "OpIMul") == 4);
    CHECK(count(text, "OpULessThan") == 4);
    CHECK(count(text, "OpPhi") == 3);  // i, sum, and the sum behind the loop
    CHECK(count(repeated(counted("%c100")), "OpIMul") == 4);
}

TEST_CASE("repeat_loops: only where it is needed, and not for few turns") {
    CHECK(count(repeated(counted("%n"), false), "OpIMul") == 1);
    CHECK(count(repeated(counted("%c20")), "OpIMul") == 1);
}

TEST_CASE("repeat_loops: loops that checks have made long, too") {
    std::string loop = counted("%n"), products;
    for (int i = 0; i < 200; ++i) products += "%p" + std::to_string(i) + " = OpIAdd %int %sum %n\n";
    loop.insert(loop.find("%more ="), products);
    CHECK(count(repeated(loop), "OpIMul") == 1);
    CHECK(count(repeated(loop, true, MemoryChecks::Races), "OpIMul") == 4);
    CHECK(count(repeated(loop, false, MemoryChecks::Races), "OpIMul") == 1);
}

TEST_CASE("repeat_loops: few turns in a loop around them, if drivers do not unroll that much") {
    CHECK(count(repeated(nested_loops(4)), "OpIMul") == 4);
    CHECK(count(repeated(nested_loops(40)), "OpIMul") == 2 * 40);
    CHECK(count(repeated(nested_loops(40), false), "OpIMul") == 40);
}

TEST_CASE("repeat_loops: a loop of one block, whose phis change places") {
    const std::string text = repeated(R"(
%header = OpLabel
%a = OpPhi %int %c0 %entry %b %header
%b = OpPhi %int %n %entry %a %header
%i = OpPhi %int %c0 %entry %next %header
%next = OpIAdd %int %i %c1
%in = OpULessThan %bool %next %n
OpLoopMerge %exit %header None
OpBranchConditional %in %header %exit
%exit = OpLabel
OpStore %out %a Aligned 4
)");
    CHECK(count(text, "OpIAdd") == 4);
    CHECK(count(text, "OpLoopMerge") == 1);
}

TEST_CASE("repeat_loops: several ways out, and a selection in the loop") {
    const std::string text = repeated(R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %test
%test = OpLabel
%v = OpIMul %int %i %i
%enough = OpIEqual %bool %v %n
OpSelectionMerge %latch_before None
OpBranchConditional %enough %found %latch_before
%found = OpLabel
%w = OpIAdd %int %v %n
%odd = OpIEqual %bool %w %c20
OpBranchConditional %odd %exit %latch_before
%latch_before = OpLabel
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %int %i %c1
%in = OpULessThan %bool %next %n
OpBranchConditional %in %header %exit
%exit = OpLabel
%left = OpPhi %int %c1 %found %next %latch
%both = OpIAdd %int %left %v
OpStore %out %both Aligned 4
)");
    CHECK(count(text, "OpIMul") == 4);
    CHECK(count(text, "OpSelectionMerge") == 4);
}

TEST_CASE("repeat_loops: `continue` out of a selection, and loops in loops, stay") {
    const std::string text = repeated(R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %test
%test = OpLabel
%v = OpIMul %int %i %i
%skips = OpIEqual %bool %v %n
OpSelectionMerge %rest None
OpBranchConditional %skips %latch %rest
%rest = OpLabel
%in = OpULessThan %bool %v %n
OpBranchConditional %in %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %header
%exit = OpLabel
)");
    CHECK(count(text, "OpIMul") == 1);
}
