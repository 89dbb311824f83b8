// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// Which of two loops, one in the other, are told to stay, by the numbers of their turns: the outer one, the
/// inner one. Each turn of the inner one has some 10 instructions and `more`.
std::string kept(uint32_t outer_turns, uint32_t inner_turns, uint32_t more, bool unrolls = true) {
    TranslateOptions options;
    options.profile.quirks.unrolls_large_loops = unrolls;
    std::string body;
    for (uint32_t i = 0; i < more; ++i) body += "%x" + std::to_string(i) + " = OpIMul %int %i %j\n";
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
%outer_turns = OpConstant %int )" + std::to_string(outer_turns) +
                                                 "\n%inner_turns = OpConstant %int " +
                                                 std::to_string(inner_turns) + R"(
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
OpBranch %outer
%outer = OpLabel
%i = OpPhi %int %c0 %entry %i1 %outer_latch
OpLoopMerge %outer_exit %outer_latch None
OpBranch %outer_test
%outer_test = OpLabel
%outer_in = OpULessThan %bool %i %outer_turns
OpBranchConditional %outer_in %inner %outer_exit
%inner = OpLabel
%j = OpPhi %int %c0 %outer_test %j1 %latch
OpLoopMerge %outer_latch %latch None
OpBranch %test
%test = OpLabel
%in = OpULessThan %bool %j %inner_turns
OpBranchConditional %in %body %outer_latch
%body = OpLabel
)" + body + R"(OpBranch %latch
%latch = OpLabel
%j1 = OpIAdd %int %j %c1
OpBranch %inner
%outer_latch = OpLabel
%i1 = OpIAdd %int %i %c1
OpBranch %outer
%outer_exit = OpLabel
OpReturn
OpFunctionEnd
)",
                                             {keep_large_loops}, options),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    std::string stay;
    std::istringstream lines(run.text);
    std::string_view name = "outer ";  // whose merge comes first
    for (std::string line; std::getline(lines, line);)
        if (line.find("OpLoopMerge") != line.npos) {
            if (line.ends_with("DontUnroll")) stay += name;
            name = "inner ";
        }
    return stay;
}

}  // namespace

TEST_CASE("keep_large_loops: an outer loop before those in it") {
    CHECK(kept(16, 16, 10).empty());
    CHECK(kept(16, 16, 100) == "outer ");
    CHECK(kept(16, 16, 2000) == "outer inner ");
    CHECK(kept(16, 2000, 100).empty());  // neither is unrolled
    CHECK(kept(2000, 16, 2000) == "inner ");
}

TEST_CASE("keep_large_loops: other compilers are left alone") { CHECK(kept(16, 16, 2000, false).empty()); }
