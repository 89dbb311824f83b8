// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "spirv/spirv.h"
#include "spirv/violations.h"

using namespace caldera;
using namespace caldera::spirv;

TEST_CASE("all violations of a module, and the first") {
    const Result<std::vector<uint32_t>> words = assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%fn_one = OpTypeFunction %void %uint
%fn_none = OpTypeFunction %uint
%one = OpConstant %uint 1
%f = OpFunction %void None %fn
%entry = OpLabel
%a = OpIAdd %uint %b %one
%b = OpIAdd %uint %one %one
%c = OpIAdd %uint %d %one
%d = OpIAdd %uint %one %one
OpReturn
OpFunctionEnd
%g = OpFunction %void None %fn
%start = OpLabel
OpBranch %end
%end = OpLabel
%phi = OpPhi %uint %one %end
OpReturn
OpFunctionEnd
%h = OpFunction %void None %fn_one
%x = OpFunctionParameter %uint
%begin = OpLabel
%y = OpFunctionCall %uint %number
%z = OpFunctionCall %void %h %number
OpReturn
OpFunctionEnd
%number = OpFunction %uint None %fn_none
%only = OpLabel
OpReturnValue %one
OpFunctionEnd
)",
                                                         Target::Vulkan12);
    REQUIRE(words);
    const Result<Module> module = read(*words);
    REQUIRE(module);
    const std::vector<Violation> found = violations(*module);
    REQUIRE(found.size() == 4);
    CHECK(found[0].message.find("before its definition (function %") != std::string::npos);
    CHECK(found[0].about == module->functions[0].blocks[0].body[0].result);
    CHECK(found[1].about == module->functions[0].blocks[0].body[2].result);
    CHECK(found[2].message.find("does not name exactly its block's predecessors") != std::string::npos);
    CHECK(found[3].about == module->functions[2].blocks[0].body[1].result);
    CHECK(found[3].message.find("which is a function") != std::string::npos);
    const Result<Done> first = verify(*module);
    REQUIRE(!first);
    CHECK(first.error().message == found[0].message);
}
