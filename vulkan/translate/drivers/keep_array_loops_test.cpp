// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// How many of two loops, one in the other, are told to stay: for (i < turns) for (j < turns) array[index] =
/// i.
int kept(std::string_view turns, std::string_view index, std::string_view after = "", bool slow = true) {
    TranslateOptions options;
    options.profile.quirks.slow_with_accesses = slow;
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
%c8 = OpConstant %int 8
%c20 = OpConstant %int 20
%c64 = OpConstant %int 64
%array = OpTypeArray %int %c64
%private = OpTypePointer Function %array
%element = OpTypePointer Function %int
%fn = OpTypeFunction %void %int
%k = OpFunction %void None %fn
%n = OpFunctionParameter %int
%entry = OpLabel
%a = OpVariable %private Function
OpBranch %outer
%outer = OpLabel
%i = OpPhi %int %c0 %entry %i1 %outer_latch
OpLoopMerge %exit %outer_latch None
OpBranch %outer_test
%outer_test = OpLabel
%outer_in = OpULessThan %bool %i )" + std::string(turns) +
                                                 R"(
OpBranchConditional %outer_in %inner %exit
%inner = OpLabel
%j = OpPhi %int %c0 %outer_test %j1 %latch
OpLoopMerge %outer_latch %latch None
OpBranch %test
%test = OpLabel
%in = OpULessThan %bool %j )" + std::string(turns) +
                                                 R"(
OpBranchConditional %in %body %outer_latch
%body = OpLabel
%sum = OpIAdd %int %i %j
%other = OpIAdd %int %i %n
%p = OpInBoundsAccessChain %element %a )" + std::string(index) +
                                                 R"(
OpStore %p %i Aligned 4
OpBranch %latch
%latch = OpLabel
%j1 = OpIAdd %int %j %c1
OpBranch %inner
%outer_latch = OpLabel
%i1 = OpIAdd %int %i %c1
OpBranch %outer
%exit = OpLabel
)" + std::string(after) + "OpReturn\nOpFunctionEnd\n",
                                             {keep_array_loops}, options),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return static_cast<int>(count(run.text, "DontUnroll"));
}

constexpr std::string_view kElsewhere =
    "%q = OpInBoundsAccessChain %element %a %n\nOpStore %q %c1 Aligned 4\n";

}  // namespace

TEST_CASE("keep_array_loops: the outer loop of many accesses to an array that stays one") {
    CHECK(kept("%c20", "%other") == 1);
    CHECK(kept("%c20", "%sum", kElsewhere) == 1);
    CHECK(kept("%c20", "%c1", kElsewhere) == 1);
}

TEST_CASE("keep_array_loops: loops that are unrolled for good") {
    CHECK(kept("%c8", "%other") == 0);   // few accesses
    CHECK(kept("%c20", "%sum") == 0);    // constants, by then
    CHECK(kept("%n", "%other") == 0);    // nobody unrolls those
    CHECK(kept("%c64", "%other") == 0);  // nor those
    CHECK(kept("%c20", "%other", "", false) == 0);
}
