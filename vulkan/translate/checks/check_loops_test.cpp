// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel that ends with the blocks.
PassRun checked(const std::string& blocks, MemoryChecks checks = MemoryChecks::Loops) {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
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
    return run_passes(text, {describe_kernels, check_loops}, {.checks = checks, .loop_turns = 77});
}

size_t returns_of(const std::string& text) {
    size_t found = 0;
    for (size_t at = text.find("OpReturn"); at != std::string::npos; at = text.find("OpReturn", at + 1))
        ++found;
    return found;
}

TEST_CASE("check_loops: a loop leaves to its merge block after so many turns") {
    const PassRun good = checked(R"( %header = OpLabel
 %i = OpPhi %u32 %zero %entry %next %continue
 %more = OpULessThan %bool %i %n
 OpLoopMerge %merge %continue None
 OpBranchConditional %more %continue %merge
 %continue = OpLabel
 %next = OpIAdd %u32 %i %one
 OpBranch %header
 %merge = OpLabel
 OpReturn
)");
    REQUIRE(good.error == "");
    CHECK(contains(good.text, "OpConstant %uint 77"));
    CHECK(contains(good.text, "_Z10check_loopPU3AS1jjj"));
    CHECK(good.interface.check_sites.size() == 1);
    CHECK(good.interface.check_sites[0].kind == CheckKind::Loop);
    CHECK(returns_of(good.text) == 1);
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
    CHECK(returns_of(run.text) == 2);
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
