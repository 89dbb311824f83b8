// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/newer_ops.h"
#include "tests/support/why.h"

#include <algorithm>

#include "spirv/newer_ops.h"
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// Assembly for an instruction that SPIRV-Tools may not know: its operands are ids, the type and result
/// first.
std::string line(spv::Op op, std::string_view operands) {
    const auto words = 1 + static_cast<uint32_t>(std::ranges::count(operands, '%'));
    return "OpNop !" + std::to_string(words << 16 | static_cast<uint32_t>(op)) + " " + std::string(operands) +
           "\n";
}

/// The text after the rewriting, or why it was declined.
std::string replaced(const std::string& code, const std::string& globals = {}, std::string_view head = {}) {
    const auto words = spirv::assemble("OpCapability Kernel\nOpCapability Addresses\nOpCapability Int16\n" +
                                           std::string(head) +
                                           R"(OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%f32 = OpTypeFloat 32
%v4f = OpTypeVector %f32 4
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%v4s = OpTypeVector %u16 4
%fn = OpTypeFunction %void %f32 %v4f %u16 %v4s
)" + globals + R"(%k = OpFunction %void None %fn
%f = OpFunctionParameter %f32
%v = OpFunctionParameter %v4f
%s = OpFunctionParameter %u16
%t = OpFunctionParameter %v4s
%e = OpLabel
)" + code + "OpReturn\nOpFunctionEnd\n",
                                       spirv::Target::Vulkan13);
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    const auto sound = spirv::verify(*module);
    REQUIRE_MESSAGE(sound, why(sound));
    const auto changed = replace_newer_ops(*module);
    if (!changed) return changed.error().message;
    CHECK(spirv::verify(*module));
    const auto valid = spirv::validate(spirv::write(*module));
    CHECK_MESSAGE(valid, why(valid));
    const auto text = spirv::disassemble(spirv::write(*module));
    REQUIRE(text);
    return *changed ? *text : "unchanged";
}

}  // namespace

TEST_CASE("SPV_KHR_fma is OpenCL's fma") {
    const std::string text = replaced(line(spirv::kFma, "%v4f %r %v %v %v"), {},
                                      "OpCapability !6030\nOpExtension \"SPV_KHR_fma\"\n");
    CHECK(contains(text, "= OpExtInst %v4float %"));
    CHECK(contains(text, " fma %"));
    CHECK(!contains(text, "OpExtension"));
}

TEST_CASE("poison is undefined") {
    const std::string text = replaced(line(spirv::kPoison, "%f32 %p"), line(spirv::kPoison, "%u16 %q"),
                                      "OpCapability !5156\nOpExtension \"SPV_KHR_poison_freeze\"\n");
    CHECK(count(text, "= OpUndef %") == 2);
    CHECK(!contains(text, "SPV_KHR"));
}

TEST_CASE("undefined values are zero where the module freezes values, which may have undefined parts") {
    const std::string text =
        replaced(line(spirv::kPoison, "%f32 %p") + line(spirv::kFreeze, "%f32 %a %p") +
                     line(spirv::kFreeze, "%u16 %b %q") + line(spirv::kFreeze, "%f32 %c %f") + R"(
%d = OpFAdd %f32 %a %c
%parts = OpCompositeInsert %v4f %f %none 1
%shuffled = OpVectorShuffle %v4f %v %v 3 4294967295 5 4294967295
)" + line(spirv::kFreeze, "%v4f %all %parts") +
                     R"(OpBranch %loop
%loop = OpLabel
%x = OpPhi %f32 %f %e %later %loop
)" + line(spirv::kFreeze, "%f32 %y %x") +
                     R"(%later = OpUndef %f32
OpLoopMerge %end %loop None
OpBranchConditional %true %loop %end
%end = OpLabel
)",
                 line(spirv::kPoison, "%u16 %q") +
                     "%none = OpUndef %v4f\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n",
                 "OpCapability !5156\nOpExtension \"SPV_KHR_poison_freeze\"\n");
    CHECK(!contains(text, "OpUndef"));
    CHECK(contains(text, "= OpConstantNull %v4float"));
    CHECK(contains(text, "= OpConstantNull %ushort"));
    CHECK(contains(text, " 3 0 5 0\n"));
    CHECK(count(text, "= OpCopyObject %float %float_0\n") == 2);  // poison, and the one after its phi
    CHECK(contains(text, "= OpCopyObject %v4float %"));
    CHECK(!contains(text, "SPV_KHR"));
}

TEST_CASE("bfloat16 is the upper half of a float") {
    const std::string head = "OpCapability !6115\nOpExtension \"SPV_INTEL_bfloat16_conversion\"\n";
    const std::string to_float = replaced(line(spirv::kBfloatToFloat, "%f32 %r %s"), {}, head);
    CHECK(contains(to_float, "= OpShiftLeftLogical %uint %"));
    CHECK(contains(to_float, "= OpBitcast %float %"));
    const std::string from_float = replaced(line(spirv::kFloatToBfloat, "%v4s %r %v"), {}, head);
    CHECK(contains(from_float, "= OpBitcast %v4uint %"));
    CHECK(contains(from_float, "= OpSelect %v4uint %"));  // a NaN
    CHECK(contains(from_float, "= OpUConvert %v4ushort %"));
    for (const char* const operands : {"%u32 %r %f", "%u16 %r %v", "%f32 %r %f"})
        CHECK(replaced(line(spirv::kFloatToBfloat, operands)) ==
              "conversions of bfloat16 are between float and 16-bit integers only");
}

TEST_CASE("a bitwise function is a sum of products") {
    const std::string head = "OpCapability !6241\nOpExtension \"SPV_INTEL_ternary_bitwise_function\"\n";
    // (a & ~c) | (b & c), which is a ^ (a & c) ^ (b & c)
    const std::string select = replaced(line(spirv::kBitwiseFunction, "%u16 %r %s %s %s %table"),
                                        "%table = OpConstant %u32 0xca\n", head);
    CHECK(count(select, "= OpBitwiseAnd %ushort %") == 2);
    CHECK(count(select, "= OpBitwiseXor %ushort %") == 2);
    CHECK(!contains(select, "OpNot"));
    CHECK(!contains(select, "SPV_INTEL"));
    const std::string none_of = replaced(line(spirv::kBitwiseFunction, "%v4s %r %t %t %t %table"),
                                         "%table = OpConstant %u32 1\n", head);
    CHECK(count(none_of, "= OpBitwiseXor %v4ushort %") == 6);  // of all seven products
    CHECK(contains(none_of, "= OpNot %v4ushort %"));
    const std::string never = replaced(line(spirv::kBitwiseFunction, "%u16 %r %s %s %s %table"),
                                       "%table = OpConstant %u32 0\n", head);
    CHECK(contains(never, "= OpCopyObject %ushort %ushort_0"));
    CHECK(replaced(line(spirv::kBitwiseFunction, "%u16 %r %s %s %s %s")) ==
          "the table of a bitwise function is not a constant");
    CHECK(replaced(line(spirv::kBitwiseFunction, "%u16 %r %s %t %s %table"),
                   "%table = OpConstant %u32 0\n") == "a bitwise function is of integers of one type only");
}

TEST_CASE("TF32 has ten bits of a float's mantissa") {
    const std::string text =
        replaced(line(spirv::kRoundToTf32, "%v4f %r %v"), {},
                 "OpCapability !6425\nOpExtension \"SPV_INTEL_tensor_float32_conversion\"\n");
    CHECK(contains(text, "= OpSelect %v4uint %"));
    CHECK(contains(text, "= OpConstant %uint 4294959104"));
    CHECK(!contains(text, "SPV_INTEL"));
    CHECK(replaced(line(spirv::kRoundToTf32, "%u16 %r %s")) == "only floats are rounded to TF32");
}

TEST_CASE("an arithmetic fence is its value, and what computes it may not be combined") {
    const std::string text =
        replaced(R"(
%variable = OpVariable %own Function
%sum = OpFAdd %f32 %f %f
%product = OpFMul %f32 %f %f
%vector = OpCompositeInsert %v4f %sum %v 1
%copy = OpCopyObject %v4f %vector
%part = OpCompositeExtract %f32 %copy 1
OpStore %variable %product
%loaded = OpLoad %f32 %variable
)" + line(spirv::kArithmeticFence, "%f32 %a %part") +
                     line(spirv::kArithmeticFence, "%f32 %b %loaded") + "%user = OpFSub %f32 %a %b\n",
                 "%own = OpTypePointer Function %f32\n",
                 "OpCapability !6144\nOpExtension \"SPV_EXT_arithmetic_fence\"\n");
    CHECK(count(text, "FPFastMathMode None") == 2);
    const size_t at = text.find("= OpFAdd");
    const std::string sum = text.substr(text.rfind('%', at), at - text.rfind('%', at) - 1);
    CHECK(contains(text, "OpDecorate " + sum + " FPFastMathMode None"));
    CHECK(count(text, "= OpCopyObject %float %") == 2);
    CHECK(!contains(text, "SPV_EXT"));
}

TEST_CASE("prefetches are dropped, and split barriers have their old name") {
    const std::string text =
        replaced("OpNop !" + std::to_string(3 << 16 | static_cast<uint32_t>(spirv::kBlockPrefetch)) +
                     " %pointer %bytes\n",
                 "%global = OpTypePointer CrossWorkgroup %u32\n%pointer = OpConstantNull %global\n"
                 "%bytes = OpConstant %u32 64\n",
                 "OpCapability !6220\nOpCapability SplitBarrierINTEL\n"
                 "OpExtension \"SPV_INTEL_subgroup_buffer_prefetch\"\n"
                 "OpExtension \"SPV_EXT_split_barrier\"\n");
    CHECK(contains(text, "OpExtension \"SPV_INTEL_split_barrier\""));
    CHECK(count(text, "OpExtension") == 1);
}

TEST_CASE("calls by the names of instructions are those") {
    const std::string text = text_after(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorate %clock LinkageAttributes "_Z20__spirv_ReadClockKHRi" Import
OpDecorate %clocks LinkageAttributes "_Z27__spirv_ReadClockKHR_Ruint2i" Import
OpDecorate %function LinkageAttributes "_Z28__spirv_BitwiseFunctionINTELjjjj" Import
OpDecorate %round LinkageAttributes "__spirv_RoundFToTF32INTEL" Import
OpDecorate %fence LinkageAttributes "_Z26__spirv_ArithmeticFenceEXTf" Import
OpDecorate %other LinkageAttributes "_Z22__spirv_ReadClockKHRXYi" Import
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%v2u = OpTypeVector %u32 2
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%one = OpConstant %u32 1
%table = OpConstant %u32 128
%fnc = OpTypeFunction %u64 %u32
%fnv = OpTypeFunction %v2u %u32
%fnb = OpTypeFunction %u32 %u32 %u32 %u32 %u32
%fnf = OpTypeFunction %f32 %f32
%fnk = OpTypeFunction %void %u32 %f32
%clock = OpFunction %u64 None %fnc
%c1 = OpFunctionParameter %u32
OpFunctionEnd
%clocks = OpFunction %v2u None %fnv
%c2 = OpFunctionParameter %u32
OpFunctionEnd
%other = OpFunction %u64 None %fnc
%c3 = OpFunctionParameter %u32
OpFunctionEnd
%function = OpFunction %u32 None %fnb
%b1 = OpFunctionParameter %u32
%b2 = OpFunctionParameter %u32
%b3 = OpFunctionParameter %u32
%b4 = OpFunctionParameter %u32
OpFunctionEnd
%round = OpFunction %f32 None %fnf
%r1 = OpFunctionParameter %f32
OpFunctionEnd
%fence = OpFunction %f32 None %fnf
%f1 = OpFunctionParameter %f32
OpFunctionEnd
%k = OpFunction %void None %fnk
%u = OpFunctionParameter %u32
%f = OpFunctionParameter %f32
%e = OpLabel
%t1 = OpFunctionCall %u64 %clock %one
%t2 = OpFunctionCall %v2u %clocks %one
%t3 = OpFunctionCall %u64 %other %one
%t4 = OpFunctionCall %u32 %function %u %u %u %table
%t5 = OpFunctionCall %f32 %round %f
%sum = OpFAdd %f32 %f %t5
%t6 = OpFunctionCall %f32 %fence %sum
OpReturn
OpFunctionEnd
)",
                                        spirv::Target::OpenCL22, [](spirv::Module& module) {
                                            const auto changed = replace_newer_ops(module);
                                            return changed && *changed;
                                        });
    CHECK(contains(text, "OpExtension \"SPV_KHR_shader_clock\""));
    CHECK(contains(text, "= OpReadClockKHR %ulong %uint_1"));
    CHECK(contains(text, "= OpReadClockKHR %v2uint %uint_1"));
    CHECK(count(text, "OpFunctionCall") == 1);  // of a name that is none of SPIR-V's
    CHECK(count(text, "Import") == 1);
    CHECK(count(text, "= OpBitwiseAnd %uint %") == 5);  // two of three inputs, three of TF32
    CHECK(contains(text, "FPFastMathMode None"));
}

TEST_CASE("a module without newer instructions stays") {
    CHECK(replaced("%r = OpFAdd %f32 %f %f\n") == "unchanged");
}

}  // namespace caldera::vulkan
