// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/kernel_queries.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// The code of a kernel as clang 23 writes it, afterwards; "unchanged" if it stays.
std::string taken(std::string_view code) {
    return text_after(std::string(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int8
OpCapability Int64
OpCapability GenericPointer
OpCapability FunctionPointersINTEL
OpExtension "SPV_INTEL_function_pointers"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %size "size"
OpName %count "count"
OpName %nd "nd"
OpName %own "own"
OpName %block "block"
OpDecorate %captures CPacked
OpDecorate %size LinkageAttributes "__get_kernel_work_group_size_impl" Import
OpDecorate %multiple LinkageAttributes "__get_kernel_preferred_work_group_size_multiple_impl" Import
OpDecorate %most LinkageAttributes "__get_kernel_max_sub_group_size_for_ndrange_impl" Import
OpDecorate %count LinkageAttributes "__get_kernel_sub_group_count_for_ndrange_impl" Import
%void = OpTypeVoid
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%three = OpConstant %u32 3
%sizes = OpTypeArray %u64 %three
%range = OpTypeStruct %u32 %sizes %sizes %sizes
%own_range = OpTypePointer Function %range
%own_byte = OpTypePointer Function %u8
%generic = OpTypePointer Generic %u8
%captures = OpTypeStruct %u32 %u32 %generic %u32
%own_captures = OpTypePointer Function %captures
%generic_captures = OpTypePointer Generic %captures
%fnb = OpTypeFunction %void %generic
%code = OpTypePointer CodeSectionINTEL %fnb
%generic_code = OpTypePointer Generic %fnb
%address = OpConstantFunctionPointerINTEL %code %block
%constant = OpSpecConstantOp %generic PtrCastToGeneric %address
%fn2 = OpTypeFunction %u32 %generic %generic
%fn3 = OpTypeFunction %u32 %own_byte %generic %generic
%fnk = OpTypeFunction %void %generic
%size = OpFunction %u32 None %fn2
%s1 = OpFunctionParameter %generic
%s2 = OpFunctionParameter %generic
OpFunctionEnd
%multiple = OpFunction %u32 None %fn2
%m1 = OpFunctionParameter %generic
%m2 = OpFunctionParameter %generic
OpFunctionEnd
%most = OpFunction %u32 None %fn3
%n1 = OpFunctionParameter %own_byte
%n2 = OpFunctionParameter %generic
%n3 = OpFunctionParameter %generic
OpFunctionEnd
%count = OpFunction %u32 None %fn3
%c1 = OpFunctionParameter %own_byte
%c2 = OpFunctionParameter %generic
%c3 = OpFunctionParameter %generic
OpFunctionEnd
%block = OpFunction %void None %fnb
%p = OpFunctionParameter %generic
%be = OpLabel
OpReturn
OpFunctionEnd
%k = OpFunction %void None %fnk
%any = OpFunctionParameter %generic
%e = OpLabel
%nd = OpVariable %own_range Function
%own = OpVariable %own_captures Function
%far = OpPtrCastToGeneric %generic_captures %own
%there = OpBitcast %generic %far
%cast = OpPtrCastToGeneric %generic_code %address
%function = OpBitcast %generic %cast
%range_bytes = OpBitcast %own_byte %nd
)") + std::string(code) + "OpReturn\nOpFunctionEnd\n",
                      spirv::Target::OpenCL22, take_kernel_queries);
}

}  // namespace

TEST_CASE("queries about the kernel of a block become instructions") {
    const std::string text = taken(R"(
%r1 = OpFunctionCall %u32 %size %function %there
%r2 = OpFunctionCall %u32 %multiple %function %there
%r3 = OpFunctionCall %u32 %most %range_bytes %function %there
%r4 = OpFunctionCall %u32 %count %range_bytes %constant %there
)");
    CHECK(contains(text, "OpCapability DeviceEnqueue"));
    CHECK(!contains(text, "OpFunctionCall"));
    CHECK(!contains(text, "Import"));  // nor a declaration that nobody calls
    const size_t address = text.find(" = OpConstantFunctionPointerINTEL");
    const std::string function = text.substr(text.rfind('%', address), address - text.rfind('%', address));
    const auto block = [&](std::string_view op, std::string_view range) {
        const size_t at = text.find(op);
        REQUIRE(at != text.npos);
        const std::string line = text.substr(at, text.find('\n', at) - at);
        CHECK(contains(line, std::string(op) + " %uint " + std::string(range) + function + " "));
        CHECK(line.ends_with(" %uint_20 %uint_8"));
    };
    block("OpGetKernelWorkGroupSize", "");
    block("OpGetKernelPreferredWorkGroupSizeMultiple", "");
    block("OpGetKernelNDrangeMaxSubGroupSize", "%nd ");
    block("OpGetKernelNDrangeSubGroupCount", "%nd ");
}

TEST_CASE("queries about a function or a block that is not known stay calls") {
    CHECK(taken("%r = OpFunctionCall %u32 %size %any %there\n") == "unchanged");
    CHECK(taken("%r = OpFunctionCall %u32 %size %function %any\n") == "unchanged");
    CHECK(taken("%r = OpFunctionCall %u32 %count %range_bytes %any %there\n") == "unchanged");
    CHECK(taken("") == "unchanged");
    const std::string text = taken(
        "%r = OpFunctionCall %u32 %size %any %there\n%s = OpFunctionCall %u32 %size %function %there\n");
    CHECK(contains(text, "OpFunctionCall %uint %size "));
    CHECK(contains(text, "OpGetKernelWorkGroupSize"));
    CHECK(!contains(text, "%count"));
}

}  // namespace caldera::vulkan
