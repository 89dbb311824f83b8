// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/lives_in_order.h"

#include <string>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// What lives before each instruction of a function with this body, and before the terminators.
std::string lives(const std::string& body) {
    const ReadModule read = read_text(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k "k"
OpExecutionMode %k LocalSize 1 1 1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint4 = OpTypeVector %uint 4
%true = OpConstantTrue %bool
%c7 = OpConstant %uint 7
%c77 = OpConstantComposite %uint4 %c7 %c7 %c7 %c7
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
)" + body + "OpReturn\nOpFunctionEnd\n",
                                      spirv::Target::Vulkan12);
    spirv::Module module = read.module;
    const spirv::Builder builder(module);
    const spirv::Function& function = module.functions.front();
    const LivesInOrder lives(builder, function);
    std::string text;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        if (b != 0) text += " |";
        for (uint32_t i = 0; i <= function.blocks[b].body.size(); ++i)
            text += (text.empty() ? "" : " ") + std::to_string(lives.before(b, i));
    }
    return text;
}

TEST_CASE("a value lives from behind its instruction to its last use, by components") {
    CHECK(lives("%a = OpIAdd %uint %c7 %c7\n%b = OpIAdd %uint4 %c77 %c77\n%c = OpIAdd %uint %a %a\n"
                "%d = OpIAdd %uint4 %b %b\n%e = OpIAdd %uint %c %c\n") == "0 1 5 5 1 0");
}

TEST_CASE("what a loop uses and does not make lives until its end") {
    CHECK(lives("%a = OpIAdd %uint %c7 %c7\nOpBranch %again\n%again = OpLabel\n%b = OpIAdd %uint %a %c7\n"
                "%d = OpIAdd %uint %b %c7\nOpLoopMerge %left %latch None\n"
                "OpBranchConditional %true %latch %left\n%latch = OpLabel\n%c = OpIAdd %uint %c7 %c7\n"
                "OpBranch %again\n%left = OpLabel\n") == "0 1 | 1 2 1 | 1 1 | 0");
}

TEST_CASE("a phi lives from the first store to it") {
    CHECK(lives("OpSelectionMerge %join None\nOpBranchConditional %true %one %other\n%one = OpLabel\n"
                "%x = OpIAdd %uint %c7 %c7\nOpBranch %join\n%other = OpLabel\n%y = OpIAdd %uint %c7 %c7\n"
                "OpBranch %join\n%join = OpLabel\n%phi = OpPhi %uint %x %one %y %other\n"
                "%z = OpIAdd %uint %phi %c7\n") == "0 | 0 1 | 1 2 | 1 1 0");
}

}  // namespace
}  // namespace caldera::vulkan
