// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/relaxed_strings.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// The text after the strings have moved. %a is a string in global memory, %b one in constant memory.
std::string moved(std::string_view code, bool declares = true) {
    const std::string head =
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int8\n"
        "OpCapability GenericPointer\nOpCapability Linkage\n";
    const std::string extension = "OpExtension \"SPV_EXT_relaxed_printf_string_address_space\"\n";
    return text_after(head + (declares ? extension : "") + R"(%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u8 = OpTypeInt 8 0
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%three = OpConstant %u32 3
%percent = OpConstant %u8 37
%s = OpConstant %u8 115
%A = OpConstant %u8 65
%nul = OpConstant %u8 0
%text = OpTypeArray %u8 %two
%bytes = OpConstantComposite %text %A %nul
%long_text = OpTypeArray %u8 %three
%long_bytes = OpConstantComposite %long_text %percent %s %nul
%const_long = OpTypePointer UniformConstant %long_text
%takes_string = OpVariable %const_long UniformConstant %long_bytes
%far = OpTypePointer CrossWorkgroup %u8
%any = OpTypePointer Generic %u8
%own = OpTypePointer Function %u8
%slot = OpTypePointer Function %far
%const = OpTypePointer UniformConstant %u8
%far_text = OpTypePointer CrossWorkgroup %text
%own_text = OpTypePointer Function %text
%const_text = OpTypePointer UniformConstant %text
%a = OpVariable %far_text CrossWorkgroup %bytes
%b = OpVariable %const_text UniformConstant %bytes
%fn = OpTypeFunction %far %bool %far
%f = OpFunction %far None %fn
%t = OpFunctionParameter %bool
%p = OpFunctionParameter %far
%e = OpLabel
)" + std::string(code) + "OpReturnValue %p\nOpFunctionEnd\n",
                      spirv::Target::OpenCL20, take_relaxed_strings);
}

/// Whether the format that ends in this code, %x, is known. Otherwise it is cast, for a module that may be
/// linked.
bool is_known(const std::string& code) {
    const std::string text = moved(code + "%r = OpExtInst %u32 %cl printf %x\n");
    const size_t casts = count(text, "= OpBitcast") - count(code, "= OpBitcast");
    CHECK((casts == 1) != contains(text, "= OpInBoundsPtrAccessChain"));
    CHECK(!contains(text, "SPV_EXT_relaxed"));
    return contains(text, "= OpInBoundsPtrAccessChain");
}

}  // namespace

TEST_CASE("formats of global memory become constants, if nothing may write them") {
    const std::string in_global = "%x = OpBitcast %far %a\n";
    CHECK(is_known(in_global));
    CHECK(is_known(in_global + "%v = OpLoad %u8 %x\n%y = OpSelect %far %t %x %x\n%w = OpLoad %u8 %y\n"));
    CHECK(!is_known(in_global + "OpStore %x %nul\n"));
    CHECK(!is_known(in_global + "%y = OpSelect %far %t %x %p\nOpStore %y %nul\n"));
    CHECK(!is_known(in_global + "%v = OpVariable %slot Function\nOpStore %v %x\n"));
    CHECK(!is_known(in_global + "OpReturnValue %x\n%unreached = OpLabel\n"));
    CHECK(!is_known("%x = OpCopyObject %far %p\n"));
}

TEST_CASE("formats in private arrays become constants, if the arrays are filled once") {
    const std::string array = "%own_array = OpVariable %own_text Function\n%x = OpBitcast %own %own_array\n",
                      copy = "%from = OpBitcast %const %b\nOpCopyMemorySized %x %from %two\n";
    CHECK(is_known(array + copy));
    CHECK(is_known(array + "OpStore %own_array %bytes\n"));
    CHECK(is_known(array + "OpCopyMemory %own_array %b\n"));
    CHECK(!is_known(array));
    CHECK(!is_known(array + copy + copy.substr(copy.find("OpCopy"))));
    CHECK(!is_known(array + copy + "OpStore %x %A\n"));
    CHECK(!is_known(array + "%from = OpBitcast %const %b\nOpCopyMemorySized %x %from %one\n"));
}

TEST_CASE("strings for %s move, other pointers do not") {
    const std::string code =
        "%x = OpBitcast %far %a\n%y = OpBitcast %const %takes_string\n%z = OpBitcast %const %b\n";
    const std::string string = moved(code + "%r = OpExtInst %u32 %cl printf %y %x\n"),
                      pointer = moved(code + "%r = OpExtInst %u32 %cl printf %z %x\n");
    CHECK(count(string, "= OpInBoundsPtrAccessChain") == 1);
    CHECK(count(pointer, "= OpInBoundsPtrAccessChain") == 0);
}

TEST_CASE("strings move only where the module declares the extension") {
    CHECK(moved("%x = OpBitcast %far %a\n%r = OpExtInst %u32 %cl printf %x\n", false) == "unchanged");
}

}  // namespace caldera::vulkan
