// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

// struct Pair { uint a; ulong b; }; kernel void k(global float *out, constant uint *table, local ushort
// *scratch, uint4 v, Pair pair, read_only image2d_t image,
//               sampler_t sampler, write_only pipe uint pipe)
constexpr std::string_view kKernel = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpCapability Pipes
OpCapability ImageBasic
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpExecutionMode %k LocalSize 8 4 1
OpExecutionMode %k LocalSizeHint 16 1 1
OpExecutionMode %k VecTypeHint 262149
%types = OpString "kernel_arg_type.k.float*,uint*,ushort*,uint4,Pair,image2d_t,sampler_t,uint,"
%bases = OpString "kernel_arg_base_type.k.float*,uint*,ushort*,uint4,struct Pair,image2d_t,sampler_t,uint,"
%quals = OpString "kernel_arg_type_qual.k.restrict,const,,,,,,pipe,"
OpName %out "out"
OpName %pair "pair"
OpDecorate %pair FuncParamAttr ByVal
%void = OpTypeVoid
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v4 = OpTypeVector %u32 4
%struct = OpTypeStruct %u32 %u64
%image_t = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%sampler_t = OpTypeSampler
%pipe_t = OpTypePipe WriteOnly
%one = OpConstant %u32 1
%n10 = OpConstant %u32 10
%array = OpTypeArray %u32 %n10
%out_p = OpTypePointer CrossWorkgroup %f32
%table_p = OpTypePointer UniformConstant %u32
%scratch_p = OpTypePointer Workgroup %u16
%tile_p = OpTypePointer Workgroup %array
%struct_p = OpTypePointer Function %struct
%member_p = OpTypePointer Function %u64
%fn = OpTypeFunction %void %out_p %table_p %scratch_p %v4 %struct_p %image_t %sampler_t %pipe_t
%tile = OpVariable %tile_p Workgroup
%k = OpFunction %void None %fn
%out = OpFunctionParameter %out_p
%table = OpFunctionParameter %table_p
%scratch = OpFunctionParameter %scratch_p
%v = OpFunctionParameter %v4
%pair = OpFunctionParameter %struct_p
%image = OpFunctionParameter %image_t
%sampler = OpFunctionParameter %sampler_t
%pipe = OpFunctionParameter %pipe_t
%entry = OpLabel
%b = OpInBoundsPtrAccessChain %member_p %pair %n10 %one
%loaded = OpLoad %u64 %b Aligned 8
%copy = OpLoad %array %tile Aligned 4
OpReturn
OpFunctionEnd
)";

}  // namespace

TEST_CASE("describe_kernels: arguments, as the source has them") {
    const PassRun run = run_passes(kKernel, {describe_kernels});
    REQUIRE(run.error == "");
    REQUIRE(run.interface.kernels.size() == 1);
    const Kernel& kernel = run.interface.kernels[0];
    CHECK(kernel.name == "k");
    struct Expected {
        ArgumentKind kind;
        uint32_t size_bytes, element_bytes;
        ArgumentAccess access;
        std::string type_name, type_qualifiers;
    };
    const Expected expected[] = {
        {ArgumentKind::GlobalPointer, 8, 0, ArgumentAccess::None, "float*", "restrict"},
        {ArgumentKind::ConstantPointer, 8, 0, ArgumentAccess::None, "uint*", "const"},
        {ArgumentKind::LocalPointer, 8, 2, ArgumentAccess::None, "ushort*", ""},
        {ArgumentKind::Value, 16, 0, ArgumentAccess::None, "uint4", ""},
        {ArgumentKind::Value, 16, 0, ArgumentAccess::None, "Pair", ""},
        {ArgumentKind::Image, 8, 0, ArgumentAccess::ReadOnly, "image2d_t", ""},
        {ArgumentKind::Sampler, 4, 0, ArgumentAccess::None, "sampler_t", ""},
        {ArgumentKind::Pipe, 8, 0, ArgumentAccess::WriteOnly, "uint", "pipe"}};
    REQUIRE(kernel.arguments.size() == std::size(expected));
    for (size_t i = 0; i < std::size(expected); ++i) {
        INFO("argument " << i);
        const KernelArgument& argument = kernel.arguments[i];
        CHECK(argument.kind == expected[i].kind);
        CHECK(argument.size_bytes == expected[i].size_bytes);
        CHECK(argument.element_bytes == expected[i].element_bytes);
        CHECK(argument.access == expected[i].access);
        CHECK(argument.type_name == expected[i].type_name);
        CHECK(argument.base_type_name == (i == 4 ? "struct Pair" : expected[i].type_name));
        CHECK(argument.type_qualifiers == expected[i].type_qualifiers);
    }
    CHECK(kernel.arguments[0].name == "out");
    CHECK(kernel.arguments[1].name == "");  // nothing in the module names it
}

TEST_CASE("describe_kernels: sizes, hints and local memory") {
    const PassRun run = run_passes(kKernel, {describe_kernels});
    REQUIRE(run.error == "");
    const Kernel& kernel = run.interface.kernels[0];
    CHECK(kernel.required_local_size == std::array<uint32_t, 3>{8, 4, 1});
    CHECK(kernel.local_size_hint == std::array<uint32_t, 3>{16, 1, 1});
    CHECK(kernel.vec_type_hint == "float4");
    CHECK(kernel.attributes ==
          "reqd_work_group_size(8,4,1) work_group_size_hint(16,1,1) vec_type_hint(float4)");
    CHECK(kernel.local_bytes == 40);
}

TEST_CASE("describe_kernels: a struct that is passed by value is a value") {
    const PassRun run = run_passes(kKernel, {describe_kernels});
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "ByVal"));
    CHECK(contains(run.text, "OpFunctionParameter %_struct"));
    CHECK(contains(run.text, "%pair = OpVariable"));
    CHECK(contains(run.text, "OpStore %pair "));
}

TEST_CASE("describe_kernels: a function that no kernel calls may take what has no size by value") {
    std::string text(kKernel);
    text.insert(text.find("OpDecorate %pair"), "OpDecorate %taken FuncParamAttr ByVal\n");
    text.insert(text.find("%one = "),
                "%later = OpTypeOpaque \"struct.Later\"\n"
                "%later_p = OpTypePointer Function %later\n"
                "%taker = OpTypeFunction %void %later_p\n");
    text +=
        "%unused = OpFunction %void None %taker\n%taken = OpFunctionParameter %later_p\n%ue = OpLabel\n"
        "OpReturn\nOpFunctionEnd\n";
    CHECK(run_passes(text, {describe_kernels}).error == "");
}

TEST_CASE("describe_kernels: with descriptors, arguments have bindings") {
    TranslateOptions options;
    options.abi = Abi::Descriptors;
    const PassRun run = run_passes(kKernel, {describe_kernels}, options);
    REQUIRE(run.error == "");
    CHECK(run.interface.abi == Abi::Descriptors);
    const std::vector<KernelArgument>& arguments = run.interface.kernels[0].arguments;
    CHECK(arguments[0].binding != kNoBinding);
    CHECK(arguments[1].binding != kNoBinding);
    CHECK(arguments[0].binding != arguments[1].binding);
    CHECK(arguments[3].binding == kNoBinding);
}
