// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/odd_vectors.h"
#include "tests/support/why.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// The text after the splitting, or why it was declined.
std::string split(std::string_view code, std::string_view globals = {}, std::string_view names = {}) {
    const auto words = spirv::assemble(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability !5619
OpExtension "SPV_INTEL_vector_compute"
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
)" + std::string(names) + R"(%void = OpTypeVoid
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
)" + std::string(globals) + R"(%fn = OpTypeFunction %void %far %u32 %v4i %bool %f32
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
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    REQUIRE(spirv::verify(*module));
    const auto changed = split_odd_vectors(*module);
    if (!changed) return changed.error().message;
    CHECK(*changed);
    const auto sound = spirv::verify(*module);
    CHECK_MESSAGE(sound, why(sound));
    const auto text = spirv::disassemble(spirv::write(*module));
    REQUIRE_MESSAGE(text, why(text));
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
          "kernel 'k': vectors of 5 components are not supported in OpCompositeExtract");
    CHECK(split("%a = OpVectorTimesScalar %v5f %none %f\n") ==
          "kernel 'k': vectors of 5 components are not supported in OpVectorTimesScalar");
    CHECK(split("%a = OpCompositeConstruct %v5i %i %i\n") ==
          "kernel 'k': vectors of 5 components are not supported in OpCompositeConstruct");
}

TEST_CASE("what is declined is named by its place, or by the variable") {
    const std::string why = "vectors of 5 components are not supported in ";
    CHECK(split("OpLine %file 4 9\n%a = OpVectorTimesScalar %v5f %none %f\n", "",
                "%file = OpString \"a.cl\"\n") == "kernel 'k' (a.cl:4:9): " + why + "OpVectorTimesScalar");
    const std::string row = "%row = OpTypeArray %v5i %two\n%to_row = OpTypePointer CrossWorkgroup %row\n",
                      var = "%var = OpVariable %to_row CrossWorkgroup\n";
    CHECK(split("", row + var, "OpName %var \"rows\"\n") == "variable 'rows': " + why + "OpTypeArray");
    CHECK(split("%cast = OpBitcast %to_row %p\n", row) == "kernel 'k': " + why + "OpTypeArray");
}

TEST_CASE("a cast of a long vector makes other components of its bits") {
    const std::string types =
        "%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n%v20b = OpTypeVector %u8 20\n"
        "%v10s = OpTypeVector %u16 10\n%v16b = OpTypeVector %u8 16\n%v5l = OpTypeVector %u64 5\n"
        "%v10i = OpTypeVector %u32 10\n%to_b = OpTypePointer CrossWorkgroup %v20b\n";
    std::string text = split(R"(
%a = OpLoad %v5i %q
%s = OpBitcast %v20b %a
%n = OpBitcast %v10s %s
%m = OpBitcast %v5f %n
%o = OpBitcast %v5i %m
OpStore %q %o
)",
                             types);
    CHECK(count(text, "OpUConvert %uchar ") == 20);
    CHECK(count(text, "OpUConvert %ushort ") == 20);
    CHECK(count(text, "OpUConvert %uint ") == 10);
    CHECK(count(text, "OpBitcast %float ") == 5);
    CHECK(split("%x = OpBitcast %v16b %ones\n", types) ==
          "kernel 'k': vectors of 16 components are not supported in OpBitcast");
    CHECK(split("%g = OpUGreaterThan %v5b %ones %zeros\n%x = OpBitcast %u32 %g\n") ==
          "kernel 'k': vectors of 5 components are not supported in OpBitcast");
}

TEST_CASE("vectors without components and far too long ones are declined at once") {
    CHECK(split("", "%v0 = OpTypeVector %u32 !0\n") == "vectors of 0 components are not supported");
    CHECK(split("", "%huge = OpTypeVector %u32 !129\n") == "vectors of 129 components are not supported");
    CHECK(split("", "%huge = OpTypeVector %u32 !0x7fffffff\n") ==
          "vectors of 2147483647 components are not supported");
    CHECK(contains(split("", "%long = OpTypeVector %u32 !128\n"), "OpReturn"));
}

TEST_CASE("each use of a long vector counts") {
    std::string code = "%a = OpLoad %long %far_long\n";
    for (int i = 0; i < 6000; ++i) code += "OpStore %far_long %a\n";
    CHECK(split("%far_long = OpBitcast %to_long %p\n" + code,
                "%long = OpTypeVector %u32 !128\n%to_long = OpTypePointer CrossWorkgroup %long\n") ==
          "kernel 'k': the module has too many long vectors");
}

TEST_CASE("one component is reached through a pointer to its vector") {
    const std::string text = split(R"(
%c = OpAccessChain %far %q %i
%d = OpInBoundsPtrAccessChain %far %q %zero %two
OpStore %c %one
OpStore %d %one
)",
                                   "%zero = OpConstant %u32 0\n");
    CHECK(contains(text, " = OpPtrAccessChain %_ptr_CrossWorkgroup_uint "));
    CHECK(contains(text, " = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint "));
    CHECK(!contains(text, "OpAccessChain"));
}

TEST_CASE("addresses that depend on the size of a long vector are declined") {
    const auto declined = [](std::string_view op) {
        return "kernel 'k': " + std::string(op) +
               " through pointers to vectors that OpenCL does not have is not supported";
    };
    CHECK(split("%n = OpPtrAccessChain %far5 %q %i\n") == declined("OpPtrAccessChain"));
    CHECK(split("%n = OpInBoundsPtrAccessChain %far %q %one %one\n") == declined("OpInBoundsPtrAccessChain"));
    CHECK(split("%n = OpPtrDiff %u64 %q %q\n") == declined("OpPtrDiff"));
    CHECK(split("OpCopyMemory %q %q\n") == declined("OpCopyMemory"));
    CHECK(split("%n = OpAtomicLoad %u32 %q %one %one\n") == declined("OpAtomicLoad"));
    CHECK(split("%n = OpExtInst %void %cl prefetch %q %two64\n", "%two64 = OpConstant %u64 2\n") ==
          declined("OpExtInst"));
    CHECK(split("%n = OpLoad %u32 %q\n") == declined("OpLoad"));
    CHECK(split("OpStore %q %i\n") == declined("OpStore"));
    CHECK(split("%e3 = OpGroupAsyncCopy %event %two %near5 %q %two64 %two64 %no_event\n", R"(
%two64 = OpConstant %u64 2
%event = OpTypeEvent
%no_event = OpConstantNull %event
%to_near5 = OpTypePointer Workgroup %v5i
%near5 = OpConstantNull %to_near5
)") == declined("OpGroupAsyncCopy"));
    CHECK(split("", R"(%null = OpConstantNull %far5
%two64 = OpConstant %u64 2
%at = OpSpecConstantOp %far5 PtrAccessChain %null %two64
)") == "OpPtrAccessChain through pointers to vectors that OpenCL does not have is not supported");
}

TEST_CASE("indices of long vectors are integers of OpenCL") {
    CHECK(split("%x = OpVectorExtractDynamic %u32 %ones %f\n") ==
          "kernel 'k': vectors of 5 components are not supported in OpVectorExtractDynamic");
    CHECK(split("%x = OpVectorInsertDynamic %v5i %ones %one %void\n") ==
          "kernel 'k': vectors of 5 components are not supported in OpVectorInsertDynamic");
    CHECK(split("%x = OpVectorExtractDynamic %u32 %ones %two3\n",
                "%u3 = OpTypeInt !3 0\n%two3 = OpConstantNull %u3\n") ==
          "kernel 'k': vectors of 5 components are not supported in OpVectorExtractDynamic");
}

TEST_CASE("the components of an operation keep its decorations") {
    const std::string text = split("%s = OpIAdd %v5i %ones %ones\n%t = OpFAdd %v5f %none %none\n", {},
                                   R"(OpDecorate %s NoSignedWrap
OpDecorate %group FPFastMathMode NotNaN
%group = OpDecorationGroup
OpGroupDecorate %group %t
)");
    CHECK(count(text, " NoSignedWrap\n") == 5);
    CHECK(count(text, " FPFastMathMode NotNaN\n") == 5 + 1);  // the group has it too
}

TEST_CASE("functions of OpenCL that are none on components are declined for long vectors") {
    for (const char* const call :
         {"%v5f %cl normalize %none", "%f32 %cl length %none", "%v5f %cl cross %none %none",
          "%f32 %cl distance %none %none", "%v5i %cl shuffle %ones %ones",
          "%v5i %cl shuffle2 %ones %ones %ones", "%v5f %cl fract %none %far_f"})
        CHECK(split("%r = OpExtInst " + std::string(call) + "\n",
                    "%to_f = OpTypePointer CrossWorkgroup %f32\n%far_f = OpConstantNull %to_f\n") ==
              "kernel 'k': vectors of 5 components are not supported in OpExtInst");
    CHECK(count(split("%r = OpExtInst %v5f %cl smoothstep %none %none %none\n"), " smoothstep %") == 5);
}

}  // namespace caldera::vulkan
