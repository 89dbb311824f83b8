// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/known_formats.h"
#include "tests/support/why.h"

#include <algorithm>
#include <array>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// %sum_1 to the last one are sums of %e_low.
std::string sums(int count) {
    std::string code = "%sum_1 = OpIAdd %uint %e_low %c1\n";
    for (int i = 2; i <= count; ++i)
        code += "%sum_" + std::to_string(i) + " = OpIAdd %uint %sum_" + std::to_string(i - 1) + " %e_low\n";
    return code;
}

/// Code that calls `%read` so many times, with names that start with `name`.
std::string reads(int count, const std::string& name, std::string_view arguments) {
    std::string code;
    for (int i = 1; i <= count; ++i)
        code +=
            "%" + name + std::to_string(i) + " = OpFunctionCall %uint %read " + std::string(arguments) + "\n";
    return code;
}

/// A kernel with an image, which `%read` reads for a number of a format and `%helper` for the one in the
/// image. `%either` has much code for format 2 alone. `%many` calls `%read` 15 times.
std::string kernel_that(std::string_view code) {
    return R"(
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpExtension "SPV_KHR_physical_storage_buffer"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %k "k" %out
OpExecutionMode %k LocalSize 1 1 1
OpName %image "image"
OpName %number "number"
OpName %to "to"
OpDecorate %format SpecId 3
OpDecorate %other SpecId 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 8
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%format = OpSpecConstant %uint 0
%other = OpSpecConstant %uint 9
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c7 = OpConstant %uint 7
%shift = OpConstant %ulong 57
%mask = OpConstant %ulong 0x1ffffffffffffff
%eight = OpConstant %ulong 8
%p_word = OpTypePointer PhysicalStorageBuffer %uint
%block = OpTypeStruct %ulong %uint
%p_block = OpTypePointer StorageBuffer %block
%p_ulong = OpTypePointer StorageBuffer %ulong
%p_uint = OpTypePointer StorageBuffer %uint
%out = OpVariable %p_block StorageBuffer
%fn = OpTypeFunction %void
%fn_read = OpTypeFunction %uint %ulong %uint
%fn_helper = OpTypeFunction %uint %ulong
%read = OpFunction %uint None %fn_read
%image = OpFunctionParameter %ulong
%number = OpFunctionParameter %uint
%r0 = OpLabel
OpSelectionMerge %r3 None
OpSwitch %number %r2 1 %r1 2 %r1
%r1 = OpLabel
%low = OpUConvert %uint %image
OpReturnValue %low
%r2 = OpLabel
%twice = OpIAdd %uint %number %number
OpReturnValue %twice
%r3 = OpLabel
OpUnreachable
OpFunctionEnd
%helper = OpFunction %uint None %fn_helper
%its_image = OpFunctionParameter %ulong
%h0 = OpLabel
%high = OpShiftRightLogical %ulong %its_image %shift
%its_number = OpUConvert %uint %high
%its = OpFunctionCall %uint %read %its_image %its_number
OpReturnValue %its
OpFunctionEnd
%either = OpFunction %uint None %fn_read
%either_image = OpFunctionParameter %ulong
%either_number = OpFunctionParameter %uint
%e0 = OpLabel
%e_low = OpUConvert %uint %either_image
)" + sums(60) +
           R"(%is_2 = OpIEqual %bool %either_number %c2
%chosen = OpSelect %uint %is_2 %sum_60 %e_low
OpReturnValue %chosen
OpFunctionEnd
%many = OpFunction %uint None %fn_read
%many_image = OpFunctionParameter %ulong
%many_number = OpFunctionParameter %uint
%m0 = OpLabel
)" + reads(15, "m_", "%many_image %many_number") +
           R"(OpReturnValue %m_15
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%from = OpAccessChain %p_ulong %out %c0
%to = OpAccessChain %p_uint %out %c1
%address = OpLoad %ulong %from
%wide = OpUConvert %ulong %format
%above = OpShiftLeftLogical %ulong %wide %shift
%marked = OpBitwiseOr %ulong %address %above
)" + std::string(code) +
           R"(
OpStore %to %sum
OpReturn
OpFunctionEnd
)";
}

std::string specialized(std::string_view code, std::initializer_list<SpecConstant> formats) {
    const auto words = spirv::assemble(kernel_that(code), spirv::Target::Vulkan12);
    REQUIRE_MESSAGE(words, why(words));
    const std::vector<uint32_t> made = with_known_formats(*words, formats);
    if (made.empty()) return {};
    const auto valid = spirv::validate(made, spirv::Target::Vulkan12);
    const auto text = spirv::disassemble(made);
    REQUIRE(text);
    if (!valid) FAIL_CHECK(valid.error().message << *text);
    return *text;
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

constexpr std::string_view kHelper = "%sum = OpFunctionCall %uint %helper %marked";

}  // namespace

TEST_CASE("with_known_formats: a function has the format of an image that it is given") {
    const std::string text = specialized(kHelper, {{3, 2}});
    CHECK(!has(text, "OpSwitch"));
    CHECK(!has(text, "OpShiftRightLogical"));
    CHECK(!has(text, "OpIAdd"));
    CHECK(!has(text, "SpecId 3"));
    CHECK(!has(text, "OpFunctionCall"));
    CHECK(has(text, "OpUConvert %uint"));
}

TEST_CASE("with_known_formats: a call that returns a constant becomes it") {
    const std::string text = specialized(kHelper, {{3, 7}});
    CHECK(!has(text, "OpFunctionCall"));
    CHECK(has(text, "%uint_14 = OpConstant %uint 14"));
    CHECK(has(text, "OpStore %to %uint_14"));
}

TEST_CASE(
    "with_known_formats: code for other formats does not count where small functions take the place of "
    "calls") {
    constexpr std::string_view kBoth = R"(%a = OpFunctionCall %uint %helper %marked
%b = OpFunctionCall %uint %either %address %format
%sum = OpIAdd %uint %a %b)";
    CHECK(!has(specialized(kBoth, {{3, 7}}), "OpFunctionCall"));
    CHECK(has(specialized(kBoth, {{3, 2}}), "OpFunctionCall"));
}

TEST_CASE("with_known_formats: a block loads the parts of a descriptor once, whatever is stored between") {
    const auto read_width = [](int n) {
        const std::string i = std::to_string(n);
        return "%masked_" + i + " = OpBitwiseAnd %ulong %marked %mask\n%place_" + i +
               " = OpIAdd %ulong %masked_" + i + " %eight\n%pointer_" + i +
               " = OpConvertUToPtr %p_word %place_" + i + "\n%width_" + i + " = OpLoad %uint %pointer_" + i +
               " Aligned 4\nOpStore %to %width_" + i + "\n";
    };
    const std::string text =
        specialized(read_width(1) + read_width(2) + R"(%a = OpFunctionCall %uint %helper %marked
%in_texel = OpIAdd %ulong %address %eight
%texel = OpConvertUToPtr %p_word %in_texel
%t1 = OpLoad %uint %texel Aligned 4
OpStore %texel %a Aligned 4
%t2 = OpLoad %uint %texel Aligned 4
%ts = OpIAdd %uint %t1 %t2
%sum = OpIAdd %uint %ts %width_2)",
                    {{3, 7}});
    CHECK(count(text, "OpLoad %uint") == 3);  // the descriptor's, and two of a texel
    CHECK(count(text, "OpBitwiseAnd") == 1);
    CHECK(count(text, "OpConvertUToPtr") == 2);
    CHECK(count(text, "OpStore") == 4);
}

TEST_CASE("with_known_formats: what is not a format stays") {
    CHECK(specialized(kHelper, {}).empty());
    CHECK(specialized(kHelper, {{3, 0}}).empty());
    CHECK(specialized("%sum = OpIAdd %uint %c1 %c2", {{3, 2}}).empty());
    const std::string text = specialized(R"(%a = OpFunctionCall %uint %helper %marked
%b = OpFunctionCall %uint %read %address %other
%sum = OpIAdd %uint %a %b)",
                                         {{3, 2}});
    CHECK(has(text, "SpecId 4"));
    CHECK(has(text, "OpSwitch %number"));
}

TEST_CASE("with_known_formats: bits of a number like a format's are no format") {
    const std::string text = specialized(R"(%bits = OpShiftLeftLogical %ulong %address %shift
%like = OpBitwiseOr %ulong %address %bits
%a = OpFunctionCall %uint %helper %like
%b = OpFunctionCall %uint %helper %marked
%sum = OpIAdd %uint %a %b)",
                                         {{3, 2}});
    CHECK(has(text, "OpSwitch"));
    CHECK(has(text, "OpShiftRightLogical"));
}

TEST_CASE("with_known_formats: few calls with the number of a format are left to the driver") {
    const auto calls = [](size_t count) {
        std::string code = "%s0 = OpFunctionCall %uint %read %address %format\n";
        for (size_t i = 1; i < count; ++i)
            code += "%x" + std::to_string(i) + " = OpFunctionCall %uint %read %address %format\n%s" +
                    std::to_string(i) + " = OpIAdd %uint %s" + std::to_string(i - 1) + " %x" +
                    std::to_string(i) + "\n";
        return code + "%sum = OpIAdd %uint %s" + std::to_string(count - 1) + " %c1";
    };
    CHECK(specialized(calls(15), {{3, 1}}).empty());
    const std::string text = specialized(calls(16), {{3, 1}});
    CHECK(!text.empty());
    CHECK(!has(text, "OpSwitch"));
}

TEST_CASE("with_known_formats: calls in functions count with those of the kernel") {
    constexpr std::string_view kMany = "%sum = OpFunctionCall %uint %many %address %format\n";
    CHECK(!specialized(kMany, {{3, 1}}).empty());
    const std::string other = "%sum = OpFunctionCall %uint %many %address %other\n";
    CHECK(specialized(other, {{3, 1}}).empty());
    CHECK(specialized(other + reads(15, "k_", "%address %format"), {{3, 1}}).empty());
    CHECK(!specialized(other + reads(16, "k_", "%address %format"), {{3, 1}}).empty());
}

TEST_CASE("with_known_formats: a module that is none") {
    const std::array<uint32_t, 2> words = {1, 2};
    CHECK(with_known_formats(words, std::array{SpecConstant{3, 1}}).empty());
}
