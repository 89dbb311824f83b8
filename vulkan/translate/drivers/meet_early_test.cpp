// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// A loop around `body`, which begins in a block %body of its own and ends with a branch to %latch. `more`
/// are other functions.
std::string after(std::string_view body, std::string_view more = "", bool follows = true) {
    TranslateOptions options;
    options.profile.quirks.follows_all_paths = follows;
    std::string names;
    for (const std::string label : {"one", "two", "other"})
        if (body.find("%" + label + " = OpLabel") != body.npos)
            names += "OpName %" + label + " \"" + label + "\"\n";
    const PassRun run = validated(run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
)" + names + R"(
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%c0 = OpConstant %int 0
%c7 = OpConstant %int 7
%c9 = OpConstant %int 9
%fn = OpTypeFunction %void %int %bool %long
%get = OpTypeFunction %int %int %bool
%k = OpFunction %void None %fn
%n = OpFunctionParameter %int
%c = OpFunctionParameter %bool
%l = OpFunctionParameter %long
%entry = OpLabel
OpBranch %head
%head = OpLabel
OpLoopMerge %exit %latch None
OpBranch %body
%body = OpLabel
)" + std::string(body) + R"(
%latch = OpLabel
OpBranchConditional %c %head %exit
%exit = OpLabel
OpReturn
OpFunctionEnd
)" + std::string(more),
                                             {meet_early}, options),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return run.text;
}

constexpr std::string_view kTwoBranches = R"(
OpSelectionMerge %join None
OpBranchConditional %c %one %other
%one = OpLabel
OpBranch %join
%other = OpLabel
OpBranch %join
%join = OpLabel
%phi = OpPhi %int %c7 %one %n %other
OpBranch %latch)";

}  // namespace

TEST_CASE("meet_early: two branches get a third one, which no value takes") {
    const std::string text = after(kTwoBranches);
    CHECK(count(text, "OpSelect %uint") == 1);
    CHECK(contains(text, "%uint_1 %uint_0\n"));
    CHECK(count(text, "OpSwitch") == 1);
    CHECK(count(text, "OpBranchConditional") == 1);  // the loop's
    CHECK(count(after(kTwoBranches, "", false), "OpSwitch") == 0);
}

TEST_CASE("meet_early: the cases of a switch are counted, so that no value is left") {
    const std::string text = after(R"(
OpSelectionMerge %join None
OpSwitch %l %other 5000000000 %one 3 %two 4 %one
%one = OpLabel
OpBranch %join
%two = OpLabel
OpBranch %join
%other = OpLabel
OpBranch %join
%join = OpLabel
%phi = OpPhi %int %c7 %one %n %other %c9 %two
OpBranch %latch)");
    CHECK(count(text, "OpIEqual") == 3);
    CHECK(count(text, "OpSelect ") == 3);
    CHECK(contains(text, "%ulong_5000000000"));
}

TEST_CASE("meet_early: a case stays directly before the one that it falls through to") {
    CHECK(contains(after(R"(
OpSelectionMerge %join None
OpSwitch %n %other 3 %one 4 %two
%one = OpLabel
OpBranch %join
%two = OpLabel
OpBranch %other
%other = OpLabel
OpBranch %join
%join = OpLabel
OpBranch %latch)"),
                   "1 %one 2 %two 0 %other\n"));
    // The default is also a case, between two others.
    CHECK(contains(after(R"(
OpSelectionMerge %join None
OpSwitch %n %other 6 %rest 3 %one 4 %other 5 %two
%rest = OpLabel
OpBranch %join
%one = OpLabel
OpBranch %other
%other = OpLabel
OpBranch %two
%two = OpLabel
OpBranch %join
%join = OpLabel
OpBranch %latch)"),
                   "2 %one 0 %other 3 %two\n"));
}

TEST_CASE("meet_early: an edge that is there is enough, and so is no loop") {
    const std::string text = after(R"(
OpSelectionMerge %join None
OpBranchConditional %c %one %join
%one = OpLabel
OpBranch %join
%join = OpLabel
OpBranch %latch)");
    CHECK(count(text, "OpSwitch") == 0);
}

TEST_CASE("meet_early: a break stays in the innermost switch") {
    const std::string text = after(R"(
OpSelectionMerge %outer None
OpSwitch %n %outer 1 %inside
%inside = OpLabel
OpSelectionMerge %join None
OpBranchConditional %c %one %other
%one = OpLabel
OpSelectionMerge %three None
OpBranchConditional %c %outer %three
%three = OpLabel
OpBranch %join
%other = OpLabel
OpBranch %join
%join = OpLabel
OpBranch %outer
%outer = OpLabel
OpBranch %latch)");
    CHECK(count(text, "OpSwitch") == 1);
}

TEST_CASE("meet_early: branches that return meet as well") {
    const std::string text = after("OpBranch %latch", R"(
%f = OpFunction %int None %get
%m = OpFunctionParameter %int
%d = OpFunctionParameter %bool
%start = OpLabel
OpSelectionMerge %never None
OpSwitch %m %none 1 %first 2 %second
%first = OpLabel
OpReturnValue %c7
%second = OpLabel
OpSelectionMerge %nowhere None
OpBranchConditional %d %third %fourth
%third = OpLabel
OpReturnValue %c9
%fourth = OpLabel
OpReturnValue %m
%nowhere = OpLabel
OpUnreachable
%none = OpLabel
OpReturnValue %c0
%never = OpLabel
OpUnreachable
OpFunctionEnd
)");
    CHECK(count(text, "OpReturnValue") == 1);
    CHECK(count(text, "OpUnreachable") == 0);
    CHECK(count(text, "OpPhi") == 2);
    CHECK(count(text, "OpSwitch") == 2);
}

TEST_CASE("meet_early: a return after a loop does not come from a selection in it, whose break leads there") {
    const std::string text = after("OpBranch %latch", R"(
%f = OpFunction %int None %get
%m = OpFunctionParameter %int
%d = OpFunctionParameter %bool
%start = OpLabel
OpBranch %again
%again = OpLabel
OpLoopMerge %done %next None
OpBranch %choose
%choose = OpLabel
OpSelectionMerge %never None
OpSwitch %m %none 1 %first
%first = OpLabel
OpBranch %next
%none = OpLabel
OpBranch %done
%never = OpLabel
OpUnreachable
%next = OpLabel
OpBranch %again
%done = OpLabel
OpReturnValue %c7
OpFunctionEnd
)");
    CHECK(count(text, "OpUnreachable") == 1);
    CHECK(count(text, "OpPhi") == 0);
}
