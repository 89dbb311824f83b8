// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/newer_ops.h"

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
    REQUIRE_MESSAGE(words, words.error().message);
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, module.error().message);
    REQUIRE(spirv::verify(*module));
    const auto changed = replace_newer_ops(*module);
    if (!changed) return changed.error().message;
    CHECK(spirv::verify(*module));
    const auto valid = spirv::validate(spirv::write(*module));
    CHECK_MESSAGE(valid, valid.error().message);
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

TEST_CASE("a module without newer instructions stays") {
    CHECK(replaced("%r = OpFAdd %f32 %f %f\n") == "unchanged");
}

}  // namespace caldera::vulkan
