// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel that ends with the blocks.
PassRun checked(const std::string& blocks, MemoryChecks checks = MemoryChecks::Loops, uint32_t turns = 77,
                std::initializer_list<Pass> passes = {describe_kernels, check_loops}) {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Linkage
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %zero = OpConstant %u32 0
 %one = OpConstant %u32 1
 %fn = OpTypeFunction %void %u32
 %k = OpFunction %void None %fn
 %n = OpFunctionParameter %u32
 %entry = OpLabel
 OpBranch %header
)" + blocks + " OpFunctionEnd\n";
    TranslateOptions options{.checks = checks, .loop_turns = turns};
    options.profile.quirks.ends_long_loops = true;
    return validated(run_passes(text, passes, options), spirv::Target::OpenCL20);
}

/// while (i < n) ++i;
const std::string kCounting = R"( %header = OpLabel
 %i = OpPhi %u32 %zero %entry %next %continue
 %more = OpULessThan %bool %i %n
 OpLoopMerge %merge %continue None
 OpBranchConditional %more %continue %merge
 %continue = OpLabel
 %next = OpIAdd %u32 %i %one
 OpBranch %header
 %merge = OpLabel
 OpReturn
)";

TEST_CASE("check_loops: a loop leaves to its merge block after so many turns") {
    const PassRun good = checked(kCounting);
    REQUIRE(good.error == "");
    CHECK(contains(good.text, "OpConstant %uint 77"));
    CHECK(contains(good.text, "_Z10check_loopPU3AS1jjj"));
    CHECK(good.interface.check_sites.size() == 1);
    CHECK(good.interface.check_sites[0].kind == CheckKind::Loop);
    CHECK(count(good.text, "OpReturn") == 1);
}

TEST_CASE("check_loops: a loop that is counted may still do several turns for each jump") {
    const PassRun run =
        checked(kCounting, MemoryChecks::Loops, 77, {describe_kernels, check_loops, repeat_loops});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpLoopMerge") == 1);
    CHECK(count(run.text, "OpULessThan") == 4);
    CHECK(count(run.text, "OpUGreaterThanEqual") == 4);
}

TEST_CASE("check_loops: the function returns where its loop's values are used behind it") {
    const PassRun run = checked(R"( %header = OpLabel
 %i = OpPhi %u32 %zero %entry %next %header
 %next = OpIAdd %u32 %i %one
 %more = OpULessThan %bool %next %n
 OpLoopMerge %merge %header None
 OpBranchConditional %more %header %merge
 %merge = OpLabel
 %sum = OpIAdd %u32 %next %n
 OpReturn
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpReturn") == 2);
}

TEST_CASE("check_loops: the function returns where blocks need the loop's values that others reach, too") {
    const std::string loop = R"( %header = OpLabel
 %c = OpINotEqual %bool %n %zero
 OpBranchConditional %c %loop %join
 %loop = OpLabel
 %i = OpPhi %u32 %zero %header %next %loop
 %next = OpIAdd %u32 %i %one
 %more = OpULessThan %bool %next %n
 OpLoopMerge %merge %loop None
 OpBranchConditional %more %loop %merge
 %merge = OpLabel
 OpBranch %join
 %join = OpLabel
)";
    const PassRun of_loop = checked(loop + " %r = OpPhi %u32 %zero %header %next %merge\n OpReturn\n");
    REQUIRE(of_loop.error == "");
    CHECK(count(of_loop.text, "OpReturn") == 2);
    const PassRun of_header = checked(loop + " %r = OpPhi %u32 %zero %header %i %merge\n OpReturn\n");
    REQUIRE(of_header.error == "");
    CHECK(count(of_header.text, "OpReturn") == 1);

    const PassRun of_both_exits = checked(R"( %header = OpLabel
 OpLoopMerge %merge %next None
 OpBranch %body
 %body = OpLabel
 %x = OpIAdd %u32 %n %one
 %first = OpULessThan %bool %x %n
 OpBranchConditional %first %merge %more
 %more = OpLabel
 %second = OpULessThan %bool %n %x
 OpBranchConditional %second %join %next
 %next = OpLabel
 OpBranch %header
 %merge = OpLabel
 OpBranch %join
 %join = OpLabel
 %sum = OpIAdd %u32 %x %n
 OpReturn
)");
    REQUIRE(of_both_exits.error == "");
    CHECK(count(of_both_exits.text, "OpReturn") == 2);
}

TEST_CASE("check_loops: a loop, and one in it, leave to their merge blocks") {
    const PassRun run = checked(R"( %header = OpLabel
 %i = OpPhi %u32 %zero %entry %i1 %next
 OpLoopMerge %done %next None
 OpBranch %inner
 %inner = OpLabel
 OpLoopMerge %use %again None
 OpBranch %body
 %body = OpLabel
 %x = OpIAdd %u32 %i %n
 %more = OpULessThan %bool %x %n
 OpBranchConditional %more %again %use
 %again = OpLabel
 OpBranch %inner
 %use = OpLabel
 %i1 = OpIAdd %u32 %i %one
 %on = OpULessThan %bool %i1 %n
 OpBranchConditional %on %next %done
 %next = OpLabel
 OpBranch %header
 %done = OpLabel
 %sum = OpIAdd %u32 %n %one
 OpReturn
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpReturn") == 1);
    CHECK(run.interface.check_sites.size() == 2);
}

TEST_CASE("check_loops: the function returns where nothing reaches the merge block") {
    const PassRun run = checked(R"( %header = OpLabel
 OpLoopMerge %merge %header None
 OpBranch %header
 %merge = OpLabel
 OpBranch %second
 %second = OpLabel
 OpLoopMerge %done %second None
 OpBranch %second
 %done = OpLabel
 OpReturn
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpReturn") == 2);
    CHECK(run.interface.check_sites.size() == 1);
}

TEST_CASE("check_loops: a loop that leaves to the next loop's header begins its counter") {
    const PassRun run = checked(R"( %header = OpLabel
 OpLoopMerge %second %continue None
 OpBranch %test
 %test = OpLabel
 %x = OpINotEqual %bool %n %zero
 OpBranchConditional %x %continue %behind
 %behind = OpLabel
 OpBranch %second
 %continue = OpLabel
 OpBranch %header
 %second = OpLabel
 %y = OpINotEqual %bool %n %one
 OpLoopMerge %done %turn None
 OpBranchConditional %y %turn %done
 %turn = OpLabel
 OpBranch %second
 %done = OpLabel
 OpReturn
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpReturn") == 1);
    CHECK(count(run.text, "OpSelect ") == 2);  // in %behind, and where the first loop leaves
}

TEST_CASE("check_loops: the header of a loop that ends behind its body is reached once a turn") {
    const auto loop = [](bool ends_behind, uint32_t turns) {
        const std::string latch =
            ends_behind ? " OpBranchConditional %more %header %merge\n" : " OpBranch %header\n";
        const std::string test =
            ends_behind ? " OpBranch %body\n" : " OpBranchConditional %more %body %merge\n";
        return checked(
            " %header = OpLabel\n %more = OpULessThan %bool %n %one\n"
            " OpLoopMerge %merge %body None\n" +
                test + " %body = OpLabel\n" + latch + " %merge = OpLabel\n OpReturn\n",
            MemoryChecks::Loops, turns);
    };
    CHECK(!contains(loop(true, 77).text, "OpConstant %uint 78"));
    CHECK(contains(loop(false, 77).text, "OpConstant %uint 78"));
    const PassRun most = loop(false, ~0u);
    REQUIRE(most.error == "");
    CHECK(contains(most.text, "OpConstant %uint 4294967294"));
}

TEST_CASE("check_loops: a loop may end without a report") {
    const PassRun silent = checked(kCounting, MemoryChecks::Guard | MemoryChecks::EndLoops);
    REQUIRE(silent.error == "");
    CHECK(contains(silent.text, "OpConstant %uint 78"));  // how often the header may be reached
    CHECK(contains(silent.text, "OpUGreaterThanEqual"));
    CHECK(!contains(silent.text, "check_loop"));
    CHECK(silent.interface.check_sites.empty());
    const PassRun both = checked(kCounting, MemoryChecks::Loops | MemoryChecks::EndLoops);
    CHECK(contains(both.text, "_Z10check_loopPU3AS1jjj"));
}

TEST_CASE("check_loops: nothing happens where it is not asked for") {
    const PassRun run = checked(R"( %header = OpLabel
 OpLoopMerge %merge %header None
 OpBranch %header
 %merge = OpLabel
 OpReturn
)",
                                MemoryChecks::Bounds);
    CHECK(run.error == "");
    CHECK(run.interface.check_sites.empty());
}

}  // namespace
}  // namespace caldera::vulkan
