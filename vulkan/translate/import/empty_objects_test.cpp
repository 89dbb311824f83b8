// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/empty_objects.h"
#include "tests/support/why.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string mended(const std::string& types, const std::string& code, std::string* error = nullptr) {
    const std::string text = R"(OpCapability Addresses
OpCapability Kernel
OpCapability Int8
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%file = OpString "a.cl"
%void = OpTypeVoid
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c7 = OpConstant %u64 7
%none64 = OpConstant %u64 0
%empty = OpTypeArray %u32 %c0
)" + types + R"(%pr = OpTypePointer CrossWorkgroup %rec
%pu = OpTypePointer CrossWorkgroup %u32
%pb = OpTypePointer CrossWorkgroup %u8
%fn = OpTypeFunction %void %pr %pb
%k = OpFunction %void None %fn
%p = OpFunctionParameter %pr
%q = OpFunctionParameter %pb
%e = OpLabel
)" + code + "OpReturn\nOpFunctionEnd\n";
    ReadModule read = read_text(text, spirv::Target::OpenCL22);
    const Result<bool> done = mend_empty_objects(read.module);
    if (error) *error = done ? "" : done.error().message;
    if (!done) return {};
    CHECK(*done);
    const std::vector<uint32_t> words = spirv::write(read.module);
    const Result<Done> valid = spirv::validate(words, spirv::Target::OpenCL22);
    CHECK_MESSAGE(valid, why(valid));
    return spirv::disassemble(words, true).take();
}
std::string fault(const std::string& types, const std::string& code = {}) {
    std::string error;
    mended(types, code, &error);
    return error;
}

constexpr const char* kRecord = "%rec = OpTypeStruct %u32 %empty\n";

}  // namespace

TEST_CASE("an array of length 0 is a struct without members") {
    const std::string text = mended("%rec = OpTypeStruct %u32 %empty %u32\n",
                                    "%x = OpLoad %rec %p Aligned 4\nOpStore %p %x Aligned 4\n");
    CHECK(!contains(text, "OpTypeArray"));
    CHECK(count(text, "OpTypeStruct") == 2);
}

TEST_CASE("a chain into such an array goes on from its address") {
    const std::string text = mended(kRecord,
                                    "%x = OpInBoundsPtrAccessChain %pu %p %c7 %c1 %c7\n"
                                    "OpStore %x %c1 Aligned 4\n");
    CHECK(contains(text, "= OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup__struct_"));
    CHECK(contains(text, "= OpBitcast %_ptr_CrossWorkgroup_uint %"));
    CHECK(count(text, "OpInBoundsPtrAccessChain") == 2);
}

TEST_CASE("a chain that ends at such an array stays") {
    const std::string types = std::string(kRecord) + "%pe = OpTypePointer CrossWorkgroup %empty\n";
    CHECK(!contains(mended(types, "%x = OpInBoundsAccessChain %pe %p %c1\n"), "OpBitcast"));
}

TEST_CASE("copies of no bytes go") {
    const std::string text = mended(kRecord,
                                    "OpCopyMemorySized %q %q %none64 Aligned 1\n"
                                    "OpCopyMemorySized %q %q %c7 Aligned 1\n");
    CHECK(count(text, "OpCopyMemorySized") == 1);
}

TEST_CASE("arrays of length 0 that move others are declined, and values of their elements") {
    CHECK(fault("%rec = OpTypeStruct %u8 %empty\n") ==
          "an array of length 0 whose alignment pads its struct is not supported");
    CHECK(fault("%rec = OpTypeStruct %u8 %empty %u8 %u32\n") ==
          "an array of length 0 whose alignment pads its struct is not supported");
    CHECK(fault(kRecord,
                "%x = OpLoad %rec %p Aligned 4\nOpLine %file 3 7\n"
                "%y = OpCompositeExtract %u32 %x 1 0\n") ==
          "a.cl:3:7: a component of an array of length 0 is not supported");
}

}  // namespace caldera::vulkan
