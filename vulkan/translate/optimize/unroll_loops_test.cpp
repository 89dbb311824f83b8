// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// A kernel whose loop counts from 0 in %i to `bound`, or with another `test` in front; `body` goes before
/// the step, `exit` behind the loop.
PassRun unrolled(std::string_view control, std::string_view bound, std::string_view body,
                 std::string_view exit, int level = 1, std::string_view test = {}) {
    TranslateOptions options;
    options.optimization_level = level;
    return run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %out "out"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c4 = OpConstant %int 4
%c264 = OpConstant %int 264
%c100 = OpConstant %int 100
%array = OpTypeArray %int %c4
%private = OpTypePointer Function %int
%privates = OpTypePointer Function %array
%global = OpTypePointer CrossWorkgroup %int
%generics = OpTypePointer Generic %int
%fn = OpTypeFunction %void %global %int
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
%values = OpVariable %privates Function
OpBranch %header
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
%sum = OpPhi %int %n %entry %more %latch
OpLoopMerge %merge %latch )" +
                          std::string(control) + "\nOpBranch %test\n%test = OpLabel\n" +
                          (test.empty() ? "%in = OpULessThan %bool %i " + std::string(bound) +
                                              "\nOpBranchConditional %in %body %merge"
                                        : std::string(test)) +
                          R"(
%body = OpLabel
%more = OpIMul %int %sum %n
)" + std::string(body) + R"(
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %header
%merge = OpLabel
)" + std::string(exit) + "OpStore %out %sum Aligned 4\nOpReturn\nOpFunctionEnd\n",
                      {unroll_loops}, options);
}

constexpr std::string_view kIndexed = R"(
%place = OpInBoundsAccessChain %private %values %i
OpStore %place %sum Aligned 4
)";
constexpr std::string_view kReadBack = R"(
%third = OpInBoundsAccessChain %private %values %c1
%kept = OpLoad %int %third Aligned 4
OpStore %out %kept Aligned 4
)";

}  // namespace

TEST_CASE("unroll_loops: with the hint, the result is the last copy's") {
    const PassRun run = unrolled("Unroll", "%c4", "", "");
    REQUIRE(run.error == "");
    CHECK_FALSE(contains(run.text, "OpLoopMerge"));
    CHECK_FALSE(contains(run.text, "OpPhi"));
    CHECK(count(run.text, "OpIMul") == 4);
    CHECK_FALSE(contains(run.text, "OpULessThan"));
}

TEST_CASE("unroll_loops: whatever integers the test of a loop is computed from") {
    const PassRun run = unrolled("Unroll", "", "", "", 1, R"(
%half = OpShiftRightArithmetic %int %c4 %i
%rest = OpBitwiseAnd %int %half %c100
%in = OpSGreaterThan %bool %rest %c0
OpBranchConditional %in %body %merge
)");
    CHECK_FALSE(contains(run.text, "OpLoopMerge"));
    CHECK(count(run.text, "OpIMul") == 1);  // 4 >> 1 and 100 have no bit in common
}

TEST_CASE("unroll_loops: without the hint only where it takes an array apart") {
    CHECK(contains(unrolled("None", "%c4", "", "").text, "OpLoopMerge"));
    const PassRun run = unrolled("None", "%c4", kIndexed, kReadBack);
    REQUIRE(run.error == "");
    CHECK_FALSE(contains(run.text, "OpLoopMerge"));
    CHECK_FALSE(contains(run.text, "OpVariable"));
}

TEST_CASE("unroll_loops: an array that is indexed elsewhere too gives no reason") {
    constexpr std::string_view kAnywhere = R"(
%any = OpInBoundsAccessChain %private %values %n
%kept = OpLoad %int %any Aligned 4
OpStore %out %kept Aligned 4
)";
    CHECK(contains(unrolled("None", "%c4", kIndexed, kAnywhere).text, "OpLoopMerge"));
}

TEST_CASE("unroll_loops: an array that is indexed by a pointer to its first element, as a function gets it") {
    constexpr std::string_view kDecayed = R"(
%first = OpInBoundsAccessChain %private %values %c0
%place = OpInBoundsPtrAccessChain %private %first %i
%generic = OpPtrCastToGeneric %generics %place
OpStore %place %sum Aligned 4
)";
    CHECK(!contains(unrolled("None", "%c4", kDecayed, kReadBack).text, "OpLoopMerge"));
    // A generic pointer that is used may go anywhere.
    const std::string used = std::string(kDecayed) + "OpStore %generic %n Aligned 4\n";
    CHECK(contains(unrolled("None", "%c4", used, kReadBack).text, "OpLoopMerge"));
    // So does one that is indexed behind the loop at a place which nobody knows.
    constexpr std::string_view kElsewhere = R"(
%begin = OpInBoundsAccessChain %private %values %c0
%nth = OpInBoundsPtrAccessChain %private %begin %n
%kept = OpLoad %int %nth Aligned 4
OpStore %out %kept Aligned 4
)";
    CHECK(contains(unrolled("None", "%c4", kDecayed, kElsewhere).text, "OpLoopMerge"));
}

TEST_CASE("unroll_loops: a loop with a barrier") {
    constexpr std::string_view kBarrier = "OpControlBarrier %c2 %c2 %c264\n";
    const PassRun run = unrolled("None", "%c4", kBarrier, "");
    REQUIRE(run.error == "");
    CHECK_FALSE(contains(run.text, "OpLoopMerge"));
    CHECK(count(run.text, "OpControlBarrier") == 4);
    CHECK(contains(unrolled("None", "%c100", kBarrier, "").text, "OpLoopMerge"));
}

TEST_CASE("unroll_loops: the way out may lead through a block of its own") {
    // for (;;) { more = ...; if (i == 4) break; ... }
    constexpr std::string_view kBreak = R"(
%enough = OpIEqual %bool %i %c4
OpSelectionMerge %go_on None
OpBranchConditional %enough %stop %go_on
%stop = OpLabel
OpBranch %merge
%go_on = OpLabel
)";
    // The test in front always says yes.
    const PassRun run = unrolled("Unroll", "", kBreak, "", 1, "OpBranch %body");
    REQUIRE(run.error == "");
    CHECK_FALSE(contains(run.text, "OpLoopMerge"));
    CHECK(count(run.text, "OpIMul") == 5);
}

TEST_CASE("unroll_loops: loops that stay") {
    CHECK(contains(unrolled("DontUnroll", "%c4", kIndexed, kReadBack).text, "OpLoopMerge"));
    CHECK(contains(unrolled("Unroll", "%n", "", "").text, "OpLoopMerge"));  // the bound is not known
    CHECK(contains(unrolled("None", "%c100", kIndexed, kReadBack).text, "OpLoopMerge"));  // too often
    CHECK(contains(unrolled("Unroll", "%c4", "", "", 0).text, "OpLoopMerge"));            // -O0
    constexpr std::string_view kBreaks = R"(
%enough = OpIEqual %bool %more %c100
OpSelectionMerge %go_on None
OpBranchConditional %enough %stop %go_on
%stop = OpLabel
OpBranch %merge
%go_on = OpLabel
)";
    CHECK(contains(unrolled("Unroll", "%c4", kBreaks, "").text, "OpLoopMerge"));
}
