// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr const char* kModule = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpExtension "SPV_KHR_non_semantic_info"
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

TEST_CASE("vectors have components of basic types, whose names may be others") {
    const auto vector_of = [](std::string_view type) {
        std::string text = kModule;
        const std::string vector = "%vector = OpExtInst %void %debug DebugTypeVector %int 8\n";
        text.replace(text.find(vector), vector.size(),
                     std::string(type) + "%vector = OpExtInst %void %debug DebugTypeVector %component 4\n");
        const PassRun run = validated(run_passes(text, {write_debug_info}), spirv::Target::OpenCL20);
        REQUIRE(run.error == "");
        return run.text;
    };
    const std::string named = vector_of(
                          "%name = OpExtInst %void %debug DebugTypedef %int_name %int %source 1 1 %unit\n"
                          "%component = OpExtInst %void %debug DebugTypeQualifier %name ConstType\n"),
                      pointers = vector_of(
                          "%component = OpExtInst %void %debug DebugTypePointer %int Generic None\n");
    CHECK(contains(named, "DebugTypeVector"));
    CHECK(!contains(named, "DebugTypeArray"));
    CHECK(contains(pointers, "DebugTypeArray"));
}

TEST_CASE("a declaration of a composite has a linkage name, too") {
    std::string text = kModule;
    const std::string vector = "%vector = OpExtInst %void %debug DebugTypeVector %int 8\n";
    text.replace(
        text.find(vector), vector.size(),
        "%vector = OpExtInst %void %debug DebugTypeComposite %x_name Structure %source 1 1 %unit %none "
        "%u32 None %member\n"
        "%member = OpExtInst %void %debug DebugTypeMember %x_name %inner %source 1 1 %vector %u32 %u32 "
        "None\n"
        "%inner = OpExtInst %void %debug DebugTypeComposite %x_name Structure %source 1 1 %vector %none "
        "%u32 None\n");
    const PassRun run = validated(run_passes(text, {write_debug_info}), spirv::Target::OpenCL20);
    CHECK(run.error == "");
    CHECK(count(run.text, "DebugTypeComposite") == 3);  // two and the declaration
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

TEST_CASE(
    "a variable is undefined where no instruction computes its value, so that no earlier one is shown") {
    std::string text = kModule;
    const std::string value = "%value = OpExtInst %void %debug DebugValue %x %sum %nothing\n";
    text.insert(text.find(value) + value.size(),
                "%second = OpExtInst %void %debug DebugValue %x %late %nothing\n"
                "%part = OpExtInst %void %debug DebugValue %x %late %nothing %u32\n"
                "%late = OpIMul %uint %p %p\n"
                "%third = OpExtInst %void %debug DebugValue %x %late %nothing\n");
    const PassRun run = validated(run_passes(text, {write_debug_info}), spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "DebugValue") == 3);  // none of the part, which has no value anywhere
    const size_t undef = run.text.find(" = OpUndef %uint");
    REQUIRE(undef != std::string::npos);
    const size_t begin = run.text.rfind('%', undef);
    const std::string id = run.text.substr(begin, undef - begin) + " ";
    std::string undefined;
    for (size_t at = 0; (at = run.text.find("DebugValue", at)) != std::string::npos; ++at)
        undefined +=
            run.text.substr(at, run.text.find('\n', at) - at).find(id) != std::string::npos ? 'u' : 'k';
    CHECK(undefined == "kuk");
}

}  // namespace caldera::vulkan
