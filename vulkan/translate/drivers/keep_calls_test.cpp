// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// The names and controls of the functions that are marked DontInline: among one with a loop that asks to be
/// inlined, one without a loop, and the kernel that calls both.
std::string marked(MemoryChecks checks, bool mixes_up) {
    TranslateOptions options;
    options.checks = checks;
    options.profile.quirks.mixes_up_inlined_loops = mixes_up;
    const PassRun run = validated(run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %loops "loops"
OpName %straight "straight"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%fn = OpTypeFunction %void
%of_int = OpTypeFunction %int %int
%k = OpFunction %void None %fn
%entry = OpLabel
%x = OpFunctionCall %int %loops %c1
%y = OpFunctionCall %int %straight %x
OpReturn
OpFunctionEnd
%loops = OpFunction %int Inline|Pure %of_int
%turns = OpFunctionParameter %int
%before = OpLabel
OpBranch %loop
%loop = OpLabel
%i = OpPhi %int %c0 %before %next %latch
OpLoopMerge %exit %latch None
OpBranch %test
%test = OpLabel
%in = OpULessThan %bool %i %turns
OpBranchConditional %in %latch %exit
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %loop
%exit = OpLabel
OpReturnValue %i
OpFunctionEnd
%straight = OpFunction %int Inline %of_int
%value = OpFunctionParameter %int
%only = OpLabel
OpReturnValue %value
OpFunctionEnd
)",
                                             {keep_calls}, options),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    std::string found;
    std::istringstream lines(run.text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, equals, op, type, control;
        words >> name >> equals >> op >> type >> control;
        if (op == "OpFunction" && contains(control, "DontInline")) found += name + " " + control;
    }
    return found;
}

}  // namespace

TEST_CASE("keep_calls: functions with loops, in modules with checks") {
    CHECK(marked(MemoryChecks::Races, true) == "%loops DontInline|Pure");
    CHECK(marked(MemoryChecks::Guard, true) == "%loops DontInline|Pure");
    CHECK(marked(MemoryChecks::None, true) == "");
    CHECK(marked(MemoryChecks::Races, false) == "");
}
