// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr const char* kModule = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%file = OpString "k.cl"
%k_name = OpString "k"
%int_name = OpString "int"
%x_name = OpString "x"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%u32 = OpConstant %uint 32
%fn = OpTypeFunction %void %uint
%source = OpExtInst %void %debug DebugSource %file
%unit = OpExtInst %void %debug DebugCompilationUnit 100 4 %source OpenCL_C
%none = OpExtInst %void %debug DebugInfoNone
%int = OpExtInst %void %debug DebugTypeBasic %int_name %u32 Signed
%vector = OpExtInst %void %debug DebugTypeVector %int 8
%type = OpExtInst %void %debug DebugTypeFunction None %none
%kd = OpExtInst %void %debug DebugFunction %k_name %type %source 1 1 %unit %k_name None 1 %k
%x = OpExtInst %void %debug DebugLocalVariable %x_name %vector %source 2 7 %kd None
%nothing = OpExtInst %void %debug DebugExpression
%k = OpFunction %void None %fn
%p = OpFunctionParameter %uint
%entry = OpLabel
%scope = OpExtInst %void %debug DebugScope %kd
OpLine %file 3 9
%sum = OpIAdd %uint %p %p
%value = OpExtInst %void %debug DebugValue %x %sum %nothing
OpReturn
OpFunctionEnd
)";

}  // namespace

TEST_CASE("debug information takes the form for shaders, with constants and lines as instructions") {
    const PassRun run = run_passes(kModule, {write_debug_info});
    REQUIRE(run.error == "");
    for (const char* part :
         {"\"NonSemantic.Shader.DebugInfo.100\"", "DebugTypeArray", "DebugFunctionDefinition", "DebugScope",
          "%uint_3 %uint_3 %uint_9 %uint_9", "DebugValue"})
        CHECK(contains(run.text, part));
    CHECK(!contains(run.text, "OpLine"));
    CHECK(count(run.text, "DebugLine") == 1);
}

TEST_CASE("a value that no instruction computes any more is not told, but its variable stays") {
    std::string text = kModule;
    const std::string value = "%sum = OpIAdd %uint %p %p\n";
    text.replace(text.find(value), value.size(), "");
    text.replace(text.find("%x %sum"), 7, "%x %late");
    text.replace(text.find("OpReturn\n"), 9, "%late = OpIAdd %uint %p %p\nOpReturn\n");
    const PassRun run = run_passes(text, {write_debug_info});
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "DebugValue"));
    CHECK(contains(run.text, "DebugLocalVariable"));
}

}  // namespace caldera::vulkan
