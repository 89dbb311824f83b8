// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/odd_vectors.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// The text after the splitting, or why it was declined.
std::string split(std::string_view code, std::string_view globals = {}) {
    const auto words = spirv::assemble(std::string(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability !5619
OpExtension "SPV_INTEL_vector_compute"
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v2i = OpTypeVector %u32 2
%v4i = OpTypeVector %u32 4
%v5i = OpTypeVector %u32 5
%v5f = OpTypeVector %f32 5
%v5b = OpTypeVector %bool 5
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%ones = OpConstantComposite %v5i %one %two %one %two %one
%zeros = OpConstantNull %v5i
%none = OpUndef %v5f
%far = OpTypePointer CrossWorkgroup %u32
%far5 = OpTypePointer CrossWorkgroup %v5i
%v2p = OpTypeVector %far 2
%v2l = OpTypeVector %u64 2
)") + std::string(globals) + R"(%fn = OpTypeFunction %void %far %u32 %v4i %bool %f32
%k = OpFunction %void None %fn
%p = OpFunctionParameter %far
%i = OpFunctionParameter %u32
%v = OpFunctionParameter %v4i
%b = OpFunctionParameter %bool
%f = OpFunctionParameter %f32
%e = OpLabel
%q = OpBitcast %far5 %p
)" + std::string(code) + "OpReturn\nOpFunctionEnd\n",
                                       spirv::Target::Vulkan13);
    REQUIRE_MESSAGE(words, words.error().message);
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, module.error().message);
    REQUIRE(spirv::verify(*module));
    const auto changed = split_odd_vectors(*module);
    if (!changed) return changed.error().message;
    CHECK(*changed);
    const auto sound = spirv::verify(*module);
    CHECK_MESSAGE(sound, sound.error().message);
    const auto text = spirv::disassemble(spirv::write(*module));
    REQUIRE_MESSAGE(text, text.error().message);
    CHECK(!contains(*text, "v5"));
    CHECK(!contains(*text, "SPV_INTEL"));
    const auto valid = spirv::validate(spirv::write(*module));
    return valid ? *text : "invalid: " + valid.error().message + "\n" + *text;
}

}  // namespace

TEST_CASE("an operation on a long vector is one on each component") {
    const std::string text = split(R"(
%a = OpLoad %v5i %q Aligned 16
%s = OpIAdd %v5i %a %ones
%g = OpUGreaterThan %v5b %s %zeros
%c = OpSelect %v5i %g %s %a
%x = OpConvertUToF %v5f %c
%m = OpExtInst %v5f %cl fabs %x
%n = OpBitcast %v5i %m
%any = OpAny %bool %g
%all = OpAll %bool %g
OpStore %q %n Aligned 4
)");
    CHECK(count(text, "OpLoad %uint ") == 5);
    CHECK(count(text, "Aligned 16\n") == 2);  // the first and the last component
    CHECK(count(text, "Aligned 8\n") == 1);
    CHECK(count(text, "OpIAdd %uint ") == 5);
    CHECK(count(text, "OpUGreaterThan %bool ") == 5);
    CHECK(count(text, "OpSelect %uint ") == 5);
    CHECK(count(text, "OpConvertUToF %float ") == 5);
    CHECK(count(text, " fabs %") == 5);
    CHECK(count(text, "OpLogicalOr ") == 4);
    CHECK(count(text, "OpLogicalAnd ") == 4);
    CHECK(count(text, "OpStore %") == 5);
}

TEST_CASE("components move between vectors of any length") {
    const std::string text = split(R"(
%a = OpCompositeConstruct %v5i %v %i
%c = OpCompositeInsert %v5i %one %a 3
%d = OpVectorShuffle %v4i %c %v 4 5 8 4294967295
%t = OpVectorShuffle %v5i %v %v 0 0 4 5 1
%x = OpCompositeExtract %u32 %t 2
%y = OpVectorExtractDynamic %u32 %a %i
%z = OpVectorInsertDynamic %v5i %t %x %i
OpStore %q %z
)");
    CHECK(contains(text, "OpCompositeConstruct %v4uint "));
    CHECK(contains(text, "OpUndef %uint"));
    CHECK(count(text, "OpIEqual %bool ") == 4 + 5);
    CHECK(count(text, "OpStore %") == 5);
}

TEST_CASE("phis are split though their operands come later") {
    const std::string text = split(R"(OpBranch %loop
%loop = OpLabel
%w = OpPhi %v5i %zeros %e %w2 %loop
%w2 = OpIAdd %v5i %w %ones
OpLoopMerge %end %loop None
OpBranchConditional %b %loop %end
%end = OpLabel
OpStore %q %w2
)");
    CHECK(count(text, "OpPhi %uint ") == 5);
    CHECK(count(text, "OpIAdd %uint ") == 5);
}

TEST_CASE("vectors of pointers are split too") {
    const std::string text = split(R"(
%pair = OpCompositeConstruct %v2p %p %p
%at = OpPtrAccessChain %v2p %pair %i
%n = OpConvertPtrToU %v2l %at
%first = OpCompositeExtract %far %at 0
OpStore %first %one
)");
    CHECK(count(text, "OpPtrAccessChain %_ptr_CrossWorkgroup_uint ") == 2);
    CHECK(count(text, "OpConvertPtrToU %ulong ") == 2);
    CHECK(contains(text, "OpCompositeConstruct %v2ulong "));
}

TEST_CASE("long vectors elsewhere are declined by name") {
    CHECK(split("", "%row = OpTypeArray %v5i %two\n") ==
          "vectors of 5 components are not supported in OpTypeArray");
    CHECK(split("", "%var = OpVariable %far5 CrossWorkgroup\n") ==
          "variables of vectors that OpenCL does not have are not supported");
    CHECK(split("", "%fn5 = OpTypeFunction %void %v5i\n") ==
          "vectors of 5 components are not supported in OpTypeFunction");
    CHECK(split("%a = OpCompositeExtract %u32 %ones 7\n") ==
          "vectors of 5 components are not supported in OpCompositeExtract");
    CHECK(split("%a = OpVectorTimesScalar %v5f %none %f\n") ==
          "vectors of 5 components are not supported in OpVectorTimesScalar");
    CHECK(split("%a = OpCompositeConstruct %v5i %i %i\n") ==
          "vectors of 5 components are not supported in OpCompositeConstruct");
}

}  // namespace caldera::vulkan
