// SPDX-License-Identifier: Apache-2.0
#include "spirv/encoded_floats.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "spirv/link.h"
#include "spirv/spirv.h"

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
    REQUIRE_MESSAGE(words, words.error().message);
    return words.take();
}
size_t count(std::string_view text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("bfloat16 is assembled, read and disassembled, whatever SPIRV-Tools know") {
    const std::vector<uint32_t> words = words_of();
    CHECK(has_encoded_floats(words));
    const auto module = read(words);
    REQUIRE_MESSAGE(module, module.error().message);
    CHECK(write(*module) == words);
    CHECK(std::ranges::count_if(module->globals, is_encoded_float) == 1);
    const auto minus = std::ranges::find(module->globals, spv::Op::OpConstant, &Instruction::op);
    REQUIRE(minus != module->globals.end());
    CHECK(minus->word(0) == 0xbf80);
    const auto text = disassemble(words, false);
    REQUIRE_MESSAGE(text, text.error().message);
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
    REQUIRE_MESSAGE(linked, linked.error().message);
    CHECK(encoded_float_capabilities(*linked).contains(kBfloat16Type));
    const auto module = read(*linked);
    REQUIRE_MESSAGE(module, module.error().message);
    CHECK(std::ranges::count_if(module->globals, is_encoded_float) == 1);
    CHECK(module->functions.size() == 2);
    CHECK(validate(*linked));
}
