// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kHead = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int16
 OpCapability Int8
 OpCapability Vector16
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u16 = OpTypeInt 16 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %f32 = OpTypeFloat 32
 %bool = OpTypeBool
 %v8f = OpTypeVector %f32 8
 %v16f = OpTypeVector %f32 16
 %v4f = OpTypeVector %f32 4
 %v2f = OpTypeVector %f32 2
 %v8u = OpTypeVector %u32 8
 %v8b = OpTypeVector %bool 8
 %v8c = OpTypeVector %u8 8
 %v8s = OpTypeVector %u16 8
 %v16c = OpTypeVector %u8 16
 %v2l = OpTypeVector %u64 2
 %v4u = OpTypeVector %u32 4
 %struct = OpTypeStruct %u32 %v8f
 %fn = OpTypeFunction %void %u64 %u32
 %fn8 = OpTypeFunction %v8f %v8f %f32
 %psb = OpTypePointer PhysicalStorageBuffer %f32
 %psbu = OpTypePointer PhysicalStorageBuffer %u32
 %one = OpConstant %f32 1
 %two = OpConstant %f32 2
 %z = OpConstant %u32 0
 %i1 = OpConstant %u32 1
 %ones = OpConstantComposite %v8f %one %two %one %two %one %two %one %two
 %null = OpConstantNull %v8f
)";
constexpr std::string_view kKernelStart = R"(
 %k = OpFunction %void None %fn
 %out = OpFunctionParameter %u64
 %n = OpFunctionParameter %u32
 %entry = OpLabel
 %p = OpConvertUToPtr %psb %out
 %pu = OpConvertUToPtr %psbu %out
)";

PassRun lower(const std::string& functions) {
    PassRun run = validated(run_passes(std::string(kHead) + functions,
                                       {describe_kernels, lower_instructions, lower_interface,
                                        lower_wide_vectors, use_physical_addressing, derive_capabilities}),
                            spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    return run;
}
PassRun lower_body(const std::string& body) {
    return lower(std::string(kKernelStart) + body + "OpReturn\nOpFunctionEnd\n");
}

TEST_CASE("lower_wide_vectors: a component of a construct needs no instruction") {
    const PassRun run = lower_body(R"(
 %f = OpConvertUToF %f32 %n
 %v = OpCompositeConstruct %v8f %f %one %one %one %one %one %one %f
 %w = OpFAdd %v8f %v %ones
 %x = OpCompositeExtract %f32 %v 7
 %y = OpCompositeExtract %f32 %w 7
 %s = OpFAdd %f32 %x %y
 OpStore %p %s Aligned 4
)");
    CHECK(contains(run.text, "OpFAdd %v4float"));
    CHECK(!contains(run.text, "OpCompositeConstruct %_struct"));
}

TEST_CASE("lower_wide_vectors: calls, returns and structs take them whole") {
    const PassRun run = lower(R"(
 %g = OpFunction %v8f None %fn8
 %ga = OpFunctionParameter %v8f
 %gb = OpFunctionParameter %f32
 %ge = OpLabel
 %gm = OpVectorTimesScalar %v8f %ga %gb
 OpReturnValue %gm
 OpFunctionEnd
)" + std::string(kKernelStart) +
                              R"(
 %r = OpFunctionCall %v8f %g %ones %two
 %st = OpCompositeConstruct %struct %n %r
 %st2 = OpCompositeInsert %struct %one %st 1 6
 %x = OpCompositeExtract %f32 %st2 1 6
 %v = OpCompositeExtract %v8f %st2 1
 %y = OpCompositeExtract %f32 %v 5
 %s = OpFAdd %f32 %x %y
 OpStore %p %s Aligned 4
 OpReturn
 OpFunctionEnd
)");
    CHECK(contains(run.text, "OpReturnValue"));
    CHECK(contains(run.text, " 1 1 2"));  // component 6 of member 1
}

TEST_CASE("lower_wide_vectors: a phi around a loop, dynamic indices, comparisons") {
    lower_body(R"(
 OpBranch %head
 %head = OpLabel
 %i = OpPhi %u32 %z %entry %next %cont
 %v = OpPhi %v8f %null %entry %w %cont
 %more = OpULessThan %bool %i %n
 OpLoopMerge %done %cont None
 OpBranchConditional %more %body %done
 %body = OpLabel
 %e = OpVectorExtractDynamic %f32 %v %i
 %e1 = OpFAdd %f32 %e %one
 %w0 = OpVectorInsertDynamic %v8f %v %e1 %i
 %c = OpFOrdLessThan %v8b %w0 %ones
 %w = OpSelect %v8f %c %w0 %ones
 OpBranch %cont
 %cont = OpLabel
 %next = OpIAdd %u32 %i %i1
 OpBranch %head
 %done = OpLabel
 %x = OpCompositeExtract %f32 %v 3
 OpStore %p %x Aligned 4
)");
}

TEST_CASE("lower_wide_vectors: shuffles between sizes") {
    lower_body(R"(
 %hi = OpVectorShuffle %v4f %ones %ones 4 5 6 7
 %odd = OpVectorShuffle %v4f %ones %ones 1 3 5 7
 %pair = OpVectorShuffle %v2f %ones %null 0 15
 %both = OpVectorShuffle %v16f %ones %null 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
 %back = OpVectorShuffle %v8f %both %ones 0 4 8 12 16 17 18 4294967295
 %mixed = OpCompositeConstruct %v8f %hi %pair %one %two
 %a = OpFAdd %v8f %back %mixed
 %x = OpCompositeExtract %f32 %a 6
 %y = OpCompositeExtract %f32 %odd 2
 %s = OpFAdd %f32 %x %y
 OpStore %p %s Aligned 4
)");
}

TEST_CASE("lower_wide_vectors: bitcasts between every shape of the same size") {
    lower_body(R"(
 %u = OpBitcast %v8u %ones
 %c = OpUConvert %v8c %u
 %l = OpBitcast %u64 %c
 %c2 = OpBitcast %v8c %l
 %s = OpUConvert %v8s %c2
 %ll = OpBitcast %v2l %s
 %cc = OpBitcast %v16c %ll
 %q = OpBitcast %v4u %cc
 %s2 = OpBitcast %v8s %q
 %any0 = OpINotEqual %v8b %s2 %s
 %any = OpAny %bool %any0
 %r = OpSelect %u32 %any %n %z
 OpStore %pu %r Aligned 4
)");
}

}  // namespace
}  // namespace caldera::vulkan
