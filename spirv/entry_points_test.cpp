// SPDX-License-Identifier: Apache-2.0
#include "spirv/entry_points.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "spirv/spirv.h"
#include "tests/support/why.h"

using namespace caldera;

namespace {

constexpr std::string_view kTwo = R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %first "first"
OpEntryPoint Kernel %second "second"
OpExecutionMode %first LocalSize 3 1 1
OpExecutionMode %second LocalSize 5 1 1
OpName %shared "shared"
OpName %alone "alone"
OpName %product "product"
OpDecorate %product FPFastMathMode NSZ
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%seven = OpConstant %float 7
%fn = OpTypeFunction %void
%fn_float = OpTypeFunction %float
%first = OpFunction %void None %fn
%a = OpLabel
%b = OpFunctionCall %float %shared
OpReturn
OpFunctionEnd
%shared = OpFunction %float None %fn_float
%c = OpLabel
OpReturnValue %one
OpFunctionEnd
%second = OpFunction %void None %fn
%d = OpLabel
%e = OpFunctionCall %float %alone
%f = OpFunctionCall %float %shared
OpReturn
OpFunctionEnd
%alone = OpFunction %float None %fn_float
%g = OpLabel
%product = OpFMul %float %seven %one
OpReturnValue %product
OpFunctionEnd
)";

std::string only(std::string_view name, std::string_view new_name = {}) {
    const spirv::EntryPoints modules(spirv::assemble(kTwo, spirv::Target::OpenCL20).take());
    const std::vector<uint32_t> words = modules.only(name, new_name);
    const auto valid = spirv::validate(words, spirv::Target::OpenCL20);
    CHECK_MESSAGE(valid, why(valid));
    return spirv::disassemble(words).take();
}
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE(
    "an entry point alone has the functions that it reaches, and no others' names, modes, constants and "
    "decorations") {
    const std::string first = only("first"), second = only("second");
    CHECK(contains(first, "\"first\""));
    CHECK(!contains(first, "second"));
    CHECK(contains(first, "LocalSize 3"));
    CHECK(!contains(first, "LocalSize 5"));
    CHECK(contains(first, "%shared = OpFunction"));
    CHECK(!contains(first, "alone"));
    CHECK(!contains(first, "%float 7"));
    CHECK(!contains(first, "FPFastMathMode"));
    CHECK(contains(second, "%shared = OpFunction"));
    CHECK(contains(second, "%alone = OpFunction"));
    CHECK(contains(second, "%float 7"));
    CHECK(contains(second, "FPFastMathMode"));
}

TEST_CASE("without such an entry point it is the whole module") {
    CHECK(contains(only("third"), "first"));
    CHECK(contains(only("third"), "second"));
}

TEST_CASE("an entry point alone may have another name, shorter or longer, and keeps its interface") {
    const std::vector<std::string> names = {"k", "main", "first7", "seventh", std::string(300, 'n')};
    for (const std::string& new_name : names) {
        const std::string text = only("first", new_name);
        CHECK(contains(text, " \"" + new_name + "\"\n"));
        CHECK(contains(text, "LocalSize 3"));
    }
    constexpr std::string_view kInterface = R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "a name" %id
OpDecorate %id BuiltIn WorkDim
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%input = OpTypePointer Input %uint
%fn = OpTypeFunction %void
%id = OpVariable %input Input
%k = OpFunction %void None %fn
%a = OpLabel
OpReturn
OpFunctionEnd
)";
    const spirv::EntryPoints modules(spirv::assemble(kInterface, spirv::Target::OpenCL20).take());
    CHECK(contains(spirv::disassemble(modules.only("a name", "main")).take(), " \"main\" %"));
}

TEST_CASE("an entry point alone keeps the debug information of what it has") {
    std::string strings;  // so that ids differ from the literals
    for (int i = 0; i < 200; ++i) strings += "%s" + std::to_string(i) + " = OpString \"\"\n";
    const std::string debug = R"(
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %first "first"
OpEntryPoint GLCompute %second "second"
OpExecutionMode %first LocalSize 1 1 1
OpExecutionMode %second LocalSize 1 1 1
)" + strings + R"(%file = OpString "a.cl"
%text = OpString "kernel void first() {}"
%rest = OpString " kernel void second() {}"
%first_name = OpString "first"
%second_name = OpString "second"
%table_name = OpString "table"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%four = OpConstant %uint 4
%seven = OpConstant %uint 7
%hundred = OpConstant %uint 100
%private = OpTypePointer Private %uint
%table = OpVariable %private Private
%fn = OpTypeFunction %void
%source = OpExtInst %void %set DebugSource %file %text
%more = OpExtInst %void %set DebugSourceContinued %rest
%unit = OpExtInst %void %set DebugCompilationUnit %one %four %source %seven
%type = OpExtInst %void %set DebugTypeFunction %zero %void
%basic = OpExtInst %void %set DebugTypeBasic %table_name %hundred %four %zero
%variable = OpExtInst %void %set DebugGlobalVariable %table_name %basic %source %one %one %unit %table_name %table %zero
%first_function = OpExtInst %void %set DebugFunction %first_name %type %source %one %one %unit %first_name %zero %one
%second_function = OpExtInst %void %set DebugFunction %second_name %type %source %one %one %unit %second_name %zero %one
%first = OpFunction %void None %fn
%a = OpLabel
%in_first = OpExtInst %void %set DebugScope %first_function
%is_first = OpExtInst %void %set DebugFunctionDefinition %first_function %first
OpReturn
OpFunctionEnd
%second = OpFunction %void None %fn
%b = OpLabel
%in_second = OpExtInst %void %set DebugScope %second_function
%is_second = OpExtInst %void %set DebugFunctionDefinition %second_function %second
OpStore %table %one
OpReturn
OpFunctionEnd
)";
    const spirv::EntryPoints modules(spirv::assemble(debug, spirv::Target::Vulkan11).take());
    for (const bool is_first : {true, false}) {
        const std::vector<uint32_t> words = modules.only(is_first ? "first" : "second", "main");
        const auto valid = spirv::validate(words, spirv::Target::Vulkan11);
        CHECK_MESSAGE(valid, why(valid));
        const std::string text = spirv::disassemble(words).take();
        CHECK(contains(text, "DebugSourceContinued"));
        CHECK(contains(text, "DebugCompilationUnit"));
        CHECK(contains(text, "%uint 7"));
        CHECK(contains(text, "DebugGlobalVariable") == !is_first);
        CHECK(contains(text, "DebugTypeBasic") == !is_first);
        CHECK(text.find("DebugFunction %") == text.rfind("DebugFunction %"));
    }
}
