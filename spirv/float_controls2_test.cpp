// SPDX-License-Identifier: Apache-2.0
#include "spirv/float_controls2.h"

#include <doctest/doctest.h>

#include "spirv/spirv.h"
#include "tests/support/why.h"

using namespace caldera;
using namespace caldera::spirv;

namespace {

/// A shader with the extension, in numbers where SPIRV-Tools may not know the names.
std::vector<uint32_t> module_words(const std::string& dead = {}) {
    const std::string text = R"(
OpCapability Shader
OpCapability !6029
OpExtension "SPV_KHR_float_controls2"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k "k" %out
OpExecutionMode %k LocalSize 1 1 1
OpExecutionModeId %k !6028 %float %uint_0
OpName %k "OpDecorate %x FPFastMathMode Fast"
OpName %out "out"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %sum FPFastMathMode !0x70004
OpDecorate %product FPFastMathMode NSZ
OpDecorate %other FPFastMathMode !0x1000c
%void = OpTypeVoid
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%uint_0 = OpConstant %uint 0
%two = OpConstant %float 2
%fn = OpTypeFunction %void
%block = OpTypeStruct %float
%block_pointer = OpTypePointer StorageBuffer %block
%pointer = OpTypePointer StorageBuffer %float
%out = OpVariable %block_pointer StorageBuffer
%k = OpFunction %void None %fn
%entry = OpLabel
%place = OpAccessChain %pointer %out %uint_0
%sum = OpFAdd %float %two %two
%product = OpFMul %float %sum %two
%other = OpFDiv %float %product %two
)" + dead + R"(OpStore %place %other
OpReturn
OpFunctionEnd
)";
    Result<std::vector<uint32_t>> words = assemble(text, Target::Vulkan12);
    REQUIRE_MESSAGE(words, why(words));
    return words.take();
}

constexpr const char* kParts[] = {"OpCapability FloatControls2\n",
                                  "OpExtension \"SPV_KHR_float_controls2\"\n",
                                  "FPFastMathDefault %float %uint_0\n",
                                  "FPFastMathMode NSZ|AllowContract|AllowReassoc|AllowTransform\n",
                                  "FPFastMathMode NSZ\n",
                                  "FPFastMathMode NSZ|AllowRecip|AllowContract\n"};

void check_parts(const std::vector<uint32_t>& words) {
    const Result<std::string> text = disassemble(words);
    REQUIRE_MESSAGE(text, why(text));
    for (const char* part : kParts) CHECK_MESSAGE(text->find(part) != text->npos, (part + (" in\n" + *text)));
    // Other text stays.
    CHECK(text->find("\"OpDecorate %x FPFastMathMode Fast\"\n") != text->npos);
    CHECK(text->find("OpExecutionMode ") < text->find("OpExecutionModeId "));
}

}  // namespace

TEST_CASE(
    "a module with SPV_KHR_float_controls2 is shown, judged and optimised, whichever SPIRV-Tools there is") {
    const std::vector<uint32_t> words = module_words("%dead = OpFMul %float %two %two\n");
    CHECK(has_float_controls2(words));
    check_parts(words);
    const Result<Done> valid = validate(words, Target::Vulkan12);
    CHECK_MESSAGE(valid, why(valid));
    const Result<std::vector<uint32_t>> optimized = optimize(words, Target::Vulkan12, 2);
    REQUIRE_MESSAGE(optimized, why(optimized));
    CHECK(optimized->size() < words.size());
    check_parts(*optimized);
    CHECK(validate(*optimized, Target::Vulkan12));
}

TEST_CASE("what is wrong with it otherwise is found") {
    std::vector<uint32_t> words = module_words("%bad = OpFAdd %float %two %uint_0\n");
    CHECK(!validate(words, Target::Vulkan12));
    CHECK(!validate(words));
}

TEST_CASE("its stand-in is another module only in what the extension brings") {
    const std::vector<uint32_t> words = module_words(), stand_in = stand_in_for_float_controls2(words);
    CHECK(!has_float_controls2(stand_in));
    CHECK(disassemble(stand_in));
    CHECK(stand_in_for_float_controls2(restore_float_controls2(stand_in)) == stand_in);
    CHECK(!has_float_controls2(without_float_controls2(words)));
    const std::vector<uint32_t> plain =
        *assemble("OpCapability Shader\nOpMemoryModel Logical GLSL450\n", Target::Vulkan12);
    CHECK(!has_float_controls2(plain));
    CHECK(without_float_controls2(plain) == plain);
}

TEST_CASE("the reader knows that FPFastMathDefault's operands are ids") {
    const std::vector<uint32_t> words = module_words();
    const Result<Module> module = read(words);
    REQUIRE(module);
    for (const Instruction& mode : module->execution_modes)
        if (mode.op == spv::Op::OpExecutionModeId) {
            CHECK(mode.operands[2].is_id);
            CHECK(mode.operands[3].is_id);
        }
    CHECK(verify(*module));
    CHECK(write(*module) == words);
}
