// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/printf_parameters.h"
#include "tests/support/why.h"

#include "vulkan/translate/import/printf_choices.h"
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr const char* kOther = R"(%other_say = OpTypeFunction %void %p
%other_fn = OpFunction %void None %other_say
%o = OpFunctionParameter %p
%o0 = OpLabel
OpReturn
OpFunctionEnd
)";

/// A kernel with this code, and a function that prints two integers by its second parameter. `uses`: what
/// else it does with that.
std::string bound(const std::string& code, const std::string& uses = {}) {
    const std::string text = R"(OpCapability Addresses
OpCapability Kernel
OpCapability Int8
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %say "say"
OpDecorate %format FuncParamAttr NoWrite
%void = OpTypeVoid
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%c3 = OpConstant %u32 3
%percent = OpConstant %u8 37
%d = OpConstant %u8 100
%nul = OpConstant %u8 0
%three = OpTypeArray %u8 %c3
%text = OpConstantComposite %three %percent %d %nul
%other = OpConstantComposite %three %d %percent %nul
%p3 = OpTypePointer UniformConstant %three
%p = OpTypePointer UniformConstant %u8
%one = OpVariable %p3 UniformConstant %text
%two = OpVariable %p3 UniformConstant %other
%say_fn = OpTypeFunction %void %u32 %p
%fn = OpTypeFunction %void %p %u32
)" + std::string(uses.empty() ? "" : kOther) +
                             R"(%say = OpFunction %void None %say_fn
%x = OpFunctionParameter %u32
%format = OpFunctionParameter %p
%s0 = OpLabel
%printed = OpExtInst %u32 %cl printf %format %x
)" + uses + R"(OpReturn
OpFunctionEnd
%k = OpFunction %void None %fn
%given = OpFunctionParameter %p
%i = OpFunctionParameter %u32
%k0 = OpLabel
%a = OpInBoundsAccessChain %p %one %c0
%b = OpInBoundsAccessChain %p %two %c0
)" + code + "OpReturn\nOpFunctionEnd\n";
    ReadModule read = read_text(text, spirv::Target::OpenCL22);
    bind_printf_formats(read.module);
    const auto sound = spirv::verify(read.module);
    REQUIRE_MESSAGE(sound, why(sound));
    const std::vector<uint32_t> words = spirv::write(read.module);
    const Result<Done> valid = spirv::validate(words, spirv::Target::OpenCL22);
    CHECK_MESSAGE(valid, why(valid));
    return spirv::disassemble(words, true).take();
}

}  // namespace

TEST_CASE("a function becomes one for each format") {
    const std::string text = bound(R"(%r = OpFunctionCall %void %say %i %a
%s = OpFunctionCall %void %say %i %b
%t = OpFunctionCall %void %say %c0 %a
)");
    CHECK(count(text, "= OpFunction %void") == 3);
    CHECK(count(text, "OpFunctionCall %void") == 3);
    CHECK(count(text, "OpFunctionParameter %_ptr") == 1);
    CHECK(!contains(text, "FuncParamAttr"));
}

TEST_CASE("a call with a format that is not known stays") {
    const std::string text = bound(
        "%r = OpFunctionCall %void %say %i %given\n"
        "%s = OpFunctionCall %void %say %i %a\n");
    CHECK(count(text, "= OpFunction %void") == 3);
    CHECK(count(text, "OpFunctionCall %void %say %") == 1);
    CHECK(contains(text, "FuncParamAttr"));
}

TEST_CASE("a call with a chosen format is one for each") {
    const std::string text = bound(R"(%c = OpIEqual %bool %i %c0
%f = OpSelect %p %c %a %b
%r = OpFunctionCall %void %say %i %f
)");
    CHECK(contains(text, "OpSwitch %"));
    CHECK(count(text, "OpFunctionCall %void") == 2);
    CHECK(count(text, "= OpFunction %void") == 3);
}

TEST_CASE("a format whose address matters stays a parameter") {
    const std::string call = "%v = OpFunctionCall %void %say %i %a\n";
    const auto is_bound = [&](const std::string& uses) {
        return bound(call, uses).find("OpFunctionCall %void %say ") == std::string::npos;
    };
    CHECK(is_bound(""));
    CHECK(is_bound("%c = OpLoad %u8 %format\n"));
    CHECK(is_bound("%q = OpInBoundsPtrAccessChain %p %format %c3\n%c = OpLoad %u8 %q\n"));
    CHECK(!is_bound("%c = OpConvertPtrToU %u32 %format\n"));
    CHECK(!is_bound("%q = OpInBoundsPtrAccessChain %p %format %c3\n%c = OpConvertPtrToU %u32 %q\n"));
    CHECK(!is_bound("%c = OpFunctionCall %void %other_fn %format\n"));
}

}  // namespace caldera::vulkan
