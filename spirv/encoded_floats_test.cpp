// SPDX-License-Identifier: Apache-2.0
#include "spirv/encoded_floats.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "spirv/link.h"
#include "spirv/spirv.h"
#include "tests/support/why.h"

using namespace caldera::spirv;

namespace {

constexpr std::string_view kText = R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Float16Buffer
OpCapability Int16
OpCapability BFloat16TypeKHR
OpCapability BFloat16DotProductKHR
OpExtension "SPV_KHR_bfloat16"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
%half = OpTypeFloat 16
%u16 = OpTypeInt 16 0
%v2s = OpTypeVector %u16 2
%bf = OpTypeFloat 16 BFloat16KHR
%v2bf = OpTypeVector %bf 2
%f32 = OpTypeFloat 32
%minus = OpConstant %bf 0xbf80
%fn = OpTypeFunction %bf %v2bf %f32
%f = OpFunction %bf None %fn
%v = OpFunctionParameter %v2bf
%x = OpFunctionParameter %f32
%e = OpLabel
%d = OpDot %bf %v %v
%y = OpFConvert %bf %x
%b = OpBitcast %v2s %v
OpReturnValue %minus
OpFunctionEnd
)";

std::vector<uint32_t> words_of(std::string_view text = kText) {
    auto words = assemble(text, Target::OpenCL22);
    REQUIRE_MESSAGE(words, why(words));
    return words.take();
}
size_t count(std::string_view text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("numbers in debug information are not taken for bfloat16 values") {
    std::string text(kText);
    const auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("OpMemoryModel", "%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"\n");
    insert("OpDecorate", "%name = OpString \"float\"\n");
    insert("%fn =", R"(%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%size = OpConstant %u32 32
%2 = OpConstant %bf 0x3f80
%3 = OpConstant %bf 0x3f80
%basic = OpExtInst %void %debug DebugTypeBasic %name %size Float
)");
    const std::vector<uint32_t> words = words_of(text);
    CHECK(validate(words, Target::OpenCL22));
    CHECK(count(disassemble(without_encoded_floats(words)).take(), "DebugTypeBasic") == 1);
}

TEST_CASE("bfloat16 is assembled, read and disassembled, whatever SPIRV-Tools know") {
    const std::vector<uint32_t> words = words_of();
    CHECK(has_encoded_floats(words));
    const auto module = read(words);
    REQUIRE_MESSAGE(module, why(module));
    CHECK(write(*module) == words);
    CHECK(std::ranges::count_if(module->globals, is_encoded_float) == 1);
    const auto minus = std::ranges::find(module->globals, spv::Op::OpConstant, &Instruction::op);
    REQUIRE(minus != module->globals.end());
    CHECK(minus->word(0) == 0xbf80);
    const auto text = disassemble(words, false);
    REQUIRE_MESSAGE(text, why(text));
    CHECK(count(*text, "OpTypeFloat 16 BFloat16KHR\n") == 1);
    CHECK(count(*text, "OpTypeFloat 16\n") == 1);
    CHECK(count(*text, "OpCapability BFloat16TypeKHR\n") == 1);
    CHECK(count(*text, "OpCapability BFloat16DotProductKHR\n") == 1);
    CHECK(words_of(*text) == words);
}

TEST_CASE("a module with bfloat16 is validated") {
    CHECK(validate(words_of()));
    std::string wrong(kText);
    wrong.replace(wrong.find("OpReturnValue %minus"), 20, "OpReturnValue %x");
    CHECK(!validate(words_of(wrong)));
    const std::vector<uint32_t> without = without_encoded_floats(words_of());
    CHECK(!has_encoded_floats(without));
}

TEST_CASE("modules with bfloat16 are linked") {
    const std::vector<uint32_t> words = words_of();
    const std::vector<uint32_t> other = words_of(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability BFloat16TypeKHR
OpExtension "SPV_KHR_bfloat16"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Import
OpDecorate %g LinkageAttributes "g" Export
%bf = OpTypeFloat 16 BFloat16KHR
%v2bf = OpTypeVector %bf 2
%f32 = OpTypeFloat 32
%fn = OpTypeFunction %bf %v2bf %f32
%f = OpFunction %bf None %fn
%fv = OpFunctionParameter %v2bf
%fx = OpFunctionParameter %f32
OpFunctionEnd
%g = OpFunction %bf None %fn
%v = OpFunctionParameter %v2bf
%x = OpFunctionParameter %f32
%e = OpLabel
%y = OpFunctionCall %bf %f %v %x
OpReturnValue %y
OpFunctionEnd
)");
    const LinkInput inputs[] = {{.name = "a", .words = words}, {.name = "b", .words = other}};
    const auto linked = link(inputs, {.create_library = true});
    REQUIRE_MESSAGE(linked, why(linked));
    CHECK(encoded_float_capabilities(*linked).contains(kBfloat16Type));
    const auto module = read(*linked);
    REQUIRE_MESSAGE(module, why(module));
    CHECK(std::ranges::count_if(module->globals, is_encoded_float) == 1);
    CHECK(module->functions.size() == 2);
    CHECK(validate(*linked));
}

namespace {

constexpr std::string_view kFloat8 = R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int8
OpCapability Float8EXT
OpExtension "SPV_EXT_float8"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
OpDecorate %y SaturatedToLargestFloat8NormalConversionEXT
%u8 = OpTypeInt 8 0
%e4 = OpTypeFloat 8 Float8E4M3EXT
%e5 = OpTypeFloat 8 Float8E5M2EXT
%v2e4 = OpTypeVector %e4 2
%v2e5 = OpTypeVector %e5 2
%minus = OpConstant %e4 0xc4
%large = OpConstant %e5 0xfb
%fn = OpTypeFunction %e4 %v2e4 %v2e5
%f = OpFunction %e4 None %fn
%v = OpFunctionParameter %v2e4
%w = OpFunctionParameter %v2e5
%e = OpLabel
%x = OpCompositeExtract %e5 %w 0
%y = OpFConvert %e4 %x
%b = OpBitcast %u8 %y
OpReturnValue %y
OpFunctionEnd
)";

}  // namespace

TEST_CASE("float8 is assembled, read, disassembled, validated and linked") {
    const std::vector<uint32_t> words = words_of(kFloat8);
    CHECK(has_encoded_floats(words));
    const auto module = read(words);
    REQUIRE_MESSAGE(module, why(module));
    CHECK(write(*module) == words);
    CHECK(std::ranges::count_if(module->globals, is_encoded_float) == 2);
    std::vector<uint32_t> constants;
    for (const Instruction& inst : module->globals)
        if (inst.op == spv::Op::OpConstant) constants.push_back(inst.word(0));
    CHECK(constants == std::vector<uint32_t>{0xc4, 0xfb});
    const auto text = disassemble(words, false);
    REQUIRE_MESSAGE(text, why(text));
    CHECK(count(*text, "OpTypeFloat 8 Float8E4M3EXT\n") == 1);
    CHECK(count(*text, "OpTypeFloat 8 Float8E5M2EXT\n") == 1);
    CHECK(count(*text, "OpCapability Float8EXT\n") == 1);
    CHECK(count(*text, "OpCapability Int8\n") == 1);
    CHECK(count(*text, " SaturatedToLargestFloat8NormalConversionEXT\n") == 1);
    CHECK(words_of(*text) == words);
    CHECK(validate(words));
    const LinkInput inputs[] = {{.name = "a", .words = words}};
    const auto linked = link(inputs, {.create_library = true});
    REQUIRE_MESSAGE(linked, why(linked));
    CHECK(encoded_float_capabilities(*linked) == std::set{kFloat8Type});
    const auto again = disassemble(*linked, false);
    REQUIRE_MESSAGE(again, why(again));
    CHECK(count(*again, "OpTypeVector") == 2);
    CHECK(count(*again, "Float8E5M2EXT\n") == 1);
    CHECK(count(*again, " SaturatedToLargestFloat8NormalConversionEXT\n") == 1);
    CHECK(validate(*linked));
}

TEST_CASE("an encoding that is not known is none") {
    Instruction type = {.op = spv::Op::OpTypeFloat, .operands = {8u, 4226u}};
    CHECK(!encoding_of(type));
    type.operands = {16u, 4214u};
    CHECK(!encoding_of(type));
    type.operands = {8u, 4214u};
    CHECK(encoding_of(type) == FloatEncoding::E4M3);
    CHECK(name_of(*encoding_of(type)) == "float8 E4M3");
}
