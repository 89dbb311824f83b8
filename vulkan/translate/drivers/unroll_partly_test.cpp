// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/nested_loops.h"
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// After the pass, which must succeed and leave what SPIR-V calls structured: a kernel with these blocks,
/// from %header to %exit.
std::string unrolled(std::string_view blocks, const TranslateOptions& options,
                     spirv::Target words_of = spirv::Target::OpenCL20) {
    PassRun run = run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c20 = OpConstant %int 20
%c100 = OpConstant %int 100
%cm2 = OpConstant %int 4294967294
%global = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %global %int
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
OpBranch %header
)" + std::string(blocks) + "OpReturn\nOpFunctionEnd\n",
                             {unroll_partly}, options, {}, words_of);
    // What is for Vulkan is not valid before the pass either.
    if (words_of == spirv::Target::OpenCL20) run = validated(std::move(run), words_of);
    REQUIRE(run.error == "");
    return run.text;
}

std::string unrolled(std::string_view blocks, bool needed = true,
                     spirv::Target words_of = spirv::Target::OpenCL20) {
    TranslateOptions options;
    options.profile.quirks.leaves_counted_loops = needed;
    return unrolled(blocks, options, words_of);
}

struct Counted {
    std::string_view bound = "%n", compare = "OpULessThan", step = "OpIAdd %int %i %c1", control = "None";
};
/// while (i < bound) { sum *= n; i += 1; } *out = sum;
std::string counted(const Counted& loop) {
    const auto& [bound, compare, step, control] = loop;
    return R"(
%header = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
%sum = OpPhi %int %n %entry %more %latch
OpLoopMerge %exit %latch )" +
           std::string(control) + R"(
OpBranch %test
%test = OpLabel
%in = )" + std::string(compare) +
           " %bool %i " + std::string(bound) + R"(
OpBranchConditional %in %body %exit
%body = OpLabel
%more = OpIMul %int %sum %n
OpBranch %latch
%latch = OpLabel
%next = )" +
           std::string(step) + R"(
OpBranch %header
%exit = OpLabel
OpStore %out %sum Aligned 4
)";
}

}  // namespace

TEST_CASE("unroll_partly: four turns for a test, then the rest") {
    const std::string text = unrolled(counted({}));
    CHECK(count(text, "OpLoopMerge") == 2);
    CHECK(count(text, "DontUnroll") == 1);
    CHECK(count(text, "OpIMul") == 5);
    CHECK(count(text, "OpISub") == 1);  // the bound of groups; how far it is from 0 takes none
    CHECK(count(text, "OpPhi") == 4);
}

TEST_CASE("unroll_partly: no rest of a constant number of turns but straight code") {
    std::string text = unrolled(counted({.bound = "%c100"}));
    CHECK(count(text, "OpLoopMerge") == 1);
    CHECK(count(text, "OpIMul") == 4);
    text = unrolled(counted({.bound = "%c100", .compare = "OpULessThanEqual"}));
    CHECK(count(text, "OpIMul") == 5);
    CHECK(count(text, "OpULessThan %bool") == 1);
    text = unrolled(counted({.bound = "%c100", .step = "OpIAdd %int %i %c20"}));
    CHECK(count(text, "OpIMul") == 1);
    CHECK(count(unrolled(counted({.bound = "%c100", .compare = "OpINotEqual"})), "OpIMul") == 4);
    CHECK(count(unrolled(counted({.bound = "%cm2", .step = "OpIAdd %int %i %c20"})), "DontUnroll") == 1);
}

TEST_CASE("unroll_partly: constant numbers of turns in long groups where jumps are counted") {
    TranslateOptions options;
    options.profile.quirks.ends_long_loops = true;
    CHECK(count(unrolled(counted({.bound = "%c100"}), options), "OpIMul") == 25);
    CHECK(count(unrolled(counted({.bound = "%c100", .compare = "OpULessThanEqual"}), options), "OpIMul") ==
          32 + 5);
    CHECK(count(unrolled(counted({.bound = "%c20"}), options), "OpIMul") == 1);
    CHECK(count(unrolled(counted({}), options), "OpIMul") == 1);
}

TEST_CASE("unroll_partly: long groups of what checks have made longer") {
    TranslateOptions options;
    options.profile.quirks.ends_long_loops = true;
    std::string loop = counted({.bound = "%c100"});
    std::string sums;
    for (int i = 0; i < 600; ++i) sums += "%s" + std::to_string(i) + " = OpIAdd %int %n %n\n";
    loop.insert(loop.rfind('\n', loop.find("OpIMul")) + 1, sums);
    CHECK(count(unrolled(loop, options), "OpIMul") == 1);
    options.checks = MemoryChecks::Races;
    CHECK(count(unrolled(loop, options), "OpIMul") == 25);
}

TEST_CASE("unroll_partly: groups of few turns in a loop around them where jumps are counted") {
    TranslateOptions options;
    CHECK(count(unrolled(nested_loops(40), options), "OpIMul") == 40);
    options.profile.quirks.ends_long_loops = true;
    CHECK(count(unrolled(nested_loops(4), options), "OpIMul") == 4);
    CHECK(count(unrolled(nested_loops(40), options), "OpIMul") == 10 * 40);
}

TEST_CASE("unroll_partly: only where it is needed, not for few turns, and as the source asks") {
    CHECK(count(unrolled(counted({}), false), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.bound = "%c20"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.control = "DontUnroll"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.control = "Unroll"})), "OpIMul") == 5);
    const auto with_hint = [](std::string_view hint, std::string_view bound = "%n") {
        return count(unrolled(counted({.bound = bound, .control = hint}), true, spirv::Target::Vulkan12),
                     "OpIMul");
    };
    CHECK(with_hint("PartialCount 7") == 8);
    CHECK(with_hint("PartialCount 1") == 1);
    CHECK(with_hint("PartialCount 4294967295") == 65);
    CHECK(with_hint("PartialCount 7", "%c100") == 7 + 2);
    CHECK(with_hint("PartialCount 2", "%c20") == 2);
    CHECK(with_hint("PartialCount 12", "%c20") == 1);
}

TEST_CASE("unroll_partly: no copies of what a sub-group does together, unless all count alike") {
    const auto copies = [](std::string_view instruction, std::string_view bound, std::string_view control) {
        std::string loop = counted({.bound = bound, .control = control});
        loop.insert(loop.find("%more ="), "%none = OpFunctionCall %void %helper %out %i\n");
        return count(unrolled(loop + R"(
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %fn
%helper_out = OpFunctionParameter %global
%helper_n = OpFunctionParameter %int
%helper_entry = OpLabel
%nothing = OpFunctionCall %void %inner %helper_out %helper_n
OpReturn
OpFunctionEnd
%inner = OpFunction %void None %fn
%inner_out = OpFunctionParameter %global
%inner_n = OpFunctionParameter %int
%inner_entry = OpLabel
%value = )" + std::string(instruction) +
                                  " %inner_n\n",
                              true, spirv::Target::Vulkan12),
                     "OpIMul");
    };
    constexpr std::string_view together = "OpGroupNonUniformBroadcastFirst %int %c2", alone = "OpNot %int";
    CHECK(copies(alone, "%n", "None") == 5);
    CHECK(copies(alone, "%n", "PartialCount 7") == 8);
    CHECK(copies(together, "%n", "None") == 1);
    CHECK(copies(together, "%n", "Unroll") == 1);
    CHECK(copies(together, "%n", "PartialCount 7") == 1);
    CHECK(copies(together, "%c100", "PartialCount 7") == 7 + 2);
}

TEST_CASE("unroll_partly: loops that end at a number count what is to come") {
    const std::string text = unrolled(counted({.compare = "OpINotEqual"}));
    CHECK(count(text, "OpIMul") == 5);
    CHECK(count(text, "OpISub") == 1);
    CHECK(count(text, "OpUGreaterThanEqual") == 1);
}

TEST_CASE("unroll_partly: counters that do not lead to the bound by constant steps") {
    CHECK(count(unrolled(counted({.step = "OpISub %int %i %c1"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.compare = "OpUGreaterThan"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.compare = "OpIEqual"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.compare = "OpINotEqual", .step = "OpIAdd %int %i %c2"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.step = "OpShiftLeftLogical %int %i %c1"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.step = "OpIAdd %int %i %n"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.step = "OpIAdd %int %sum %c1"})), "OpIMul") == 1);
    CHECK(count(unrolled(counted({.bound = "%sum"})), "OpIMul") == 1);
}

TEST_CASE("unroll_partly: a loop of one block, tested behind its turn, whose phis change places") {
    const std::string text = unrolled(R"(
%header = OpLabel
%i = OpPhi %int %n %entry %next %header
%a = OpPhi %int %c1 %entry %b %header
%b = OpPhi %int %c2 %entry %a %header
%next = OpISub %int %i %c1
%in = OpSGreaterThan %bool %next %c0
OpLoopMerge %exit %header None
OpBranchConditional %in %header %exit
%exit = OpLabel
%last = OpPhi %int %a %header
OpStore %out %last Aligned 4
)");
    CHECK(count(text, "OpLoopMerge") == 2);
    CHECK(count(text, "OpBranchConditional") == 2);
}

TEST_CASE("unroll_partly: a loop behind a loop, which uses what that leaves") {
    const std::string text = unrolled(counted({}) + R"(
OpBranch %second
%second = OpLabel
%j = OpPhi %int %i %exit %j1 %second_latch
%product = OpPhi %int %c1 %exit %product1 %second_latch
OpLoopMerge %end %second_latch None
OpBranch %second_test
%second_test = OpLabel
%stays = OpSLessThan %bool %j %c100
OpBranchConditional %stays %second_body %end
%second_body = OpLabel
%product1 = OpIMul %int %product %sum
OpBranch %second_latch
%second_latch = OpLabel
%j1 = OpIAdd %int %j %c2
OpBranch %second
%end = OpLabel
OpStore %out %product Aligned 4
)");
    CHECK(count(text, "OpLoopMerge") == 4);
    CHECK(count(text, "OpIMul") == 10);
}
