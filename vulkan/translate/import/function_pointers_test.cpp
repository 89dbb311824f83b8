// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/function_pointers.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string mended(std::string_view code, std::string_view globals = {}) {
    return text_after(std::string(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability GenericPointer
OpCapability DeviceEnqueue
OpCapability FunctionPointersINTEL
OpExtension "SPV_INTEL_function_pointers"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%u8 = OpTypeInt 8 0
%queue = OpTypeQueue
%event = OpTypeDeviceEvent
%three = OpConstant %u32 3
%zero = OpConstant %u32 0
%eight = OpConstant %u32 8
%sizes = OpTypeArray %u64 %three
%range = OpTypeStruct %u32 %sizes %sizes %sizes
%own_range = OpTypePointer Function %range
%generic = OpTypePointer Generic %u8
%events = OpTypePointer Generic %event
%no_events = OpConstantNull %events
%fnb = OpTypeFunction %void %generic
%code = OpTypePointer CodeSectionINTEL %fnb
%generic_code = OpTypePointer Generic %fnb
%address = OpConstantFunctionPointerINTEL %code %block
%constant = OpSpecConstantOp %generic PtrCastToGeneric %address
%header = OpTypeStruct %u32 %u32 %generic
%literal = OpConstantComposite %header %eight %eight %constant
%own_header = OpTypePointer Function %header
%own_code = OpTypePointer Function %generic_code
%none = OpConstantNull %generic_code
%true = OpConstantTrue %bool
%fnk = OpTypeFunction %void %queue
)") + std::string(globals) +
                          R"(%block = OpFunction %void None %fnb
%captures = OpFunctionParameter %generic
%be = OpLabel
OpReturn
OpFunctionEnd
%k = OpFunction %void None %fnk
%q = OpFunctionParameter %queue
%e = OpLabel
%nd = OpVariable %own_range Function
%own = OpVariable %own_header Function
%slot = OpVariable %own_code Function
)" + std::string(code) + "OpReturn\nOpFunctionEnd\n",
                      spirv::Target::OpenCL22, mend_function_pointers);
}

}  // namespace

TEST_CASE("enqueued blocks are functions, and their addresses in memory are null") {
    const std::string text = mended(R"(
%cast = OpPtrCastToGeneric %generic_code %address
OpStore %slot %cast
OpStore %own %literal
%g = OpPtrCastToGeneric %generic %own
%r = OpEnqueueKernel %u32 %q %zero %nd %zero %no_events %no_events %address %g %eight %eight
%n = OpGetKernelWorkGroupSize %u32 %address %g %eight %eight
)");
    CHECK(!contains(text, "FunctionPointer"));
    CHECK(!contains(text, "CodeSection"));
    CHECK(!contains(text, "SPV_INTEL"));
    CHECK(contains(text, "= OpConstantNull %_ptr_CrossWorkgroup_uchar"));
    const size_t enqueued = text.find("OpEnqueueKernel");
    REQUIRE(enqueued != text.npos);
    const size_t function = text.find(" = OpFunction ");
    const size_t name = text.rfind('%', function);
    const std::string block = text.substr(name, function - name);
    CHECK(contains(text.substr(enqueued, text.find('\n', enqueued) - enqueued), " " + block + " "));
    CHECK(contains(text, "OpGetKernelWorkGroupSize %uint " + block + " "));
}

TEST_CASE("addresses of functions that somebody calls or looks at stay") {
    CHECK(mended("%n = OpConvertPtrToU %u64 %address\n") == "unchanged");
    CHECK(mended("%c = OpPtrCastToGeneric %generic_code %address\n%n = OpConvertPtrToU %u64 %c\n") ==
          "unchanged");
    CHECK(mended(R"(OpBranch %loop
%loop = OpLabel
%a = OpPhi %generic_code %none %e %copy %loop
%n = OpConvertPtrToU %u64 %a
%cast = OpPtrCastToGeneric %generic_code %address
%copy = OpCopyObject %generic_code %cast
OpLoopMerge %end %loop None
OpBranchConditional %true %loop %end
%end = OpLabel
)") == "unchanged");
    CHECK(mended("%r = OpFunctionPointerCallINTEL %void %address %constant\n") == "unchanged");
}

TEST_CASE("addresses of what is no function stay") {
    CHECK(mended("", "%no_address = OpConstantFunctionPointerINTEL %code %zero\n") == "unchanged");
}

}  // namespace caldera::vulkan
