// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/printf_choices.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// The text after the pass. The formats %fa and %fb are known, %p is not.
std::string split(std::string_view code) {
    const auto split_choices = [](spirv::Module& module, PassContext&) -> Result<Done> {
        split_printf_choices(module);
        return Done{};
    };
    const PassRun run = validated(run_passes(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int8
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u8 = OpTypeInt 8 0
%zero = OpConstant %u32 0
%two = OpConstant %u32 2
%A = OpConstant %u8 65
%B = OpConstant %u8 66
%nul = OpConstant %u8 0
%text = OpTypeArray %u8 %two
%ca = OpConstantComposite %text %A %nul
%cb = OpConstantComposite %text %B %nul
%ptr = OpTypePointer UniformConstant %u8
%ptr_text = OpTypePointer UniformConstant %text
%a = OpVariable %ptr_text UniformConstant %ca
%b = OpVariable %ptr_text UniformConstant %cb
%far = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %far %ptr %bool %u32
%k = OpFunction %void None %fn
%o = OpFunctionParameter %far
%p = OpFunctionParameter %ptr
%t = OpFunctionParameter %bool
%i = OpFunctionParameter %u32
%e = OpLabel
%fa = OpInBoundsPtrAccessChain %ptr %a %zero %zero
%fb = OpInBoundsPtrAccessChain %ptr %b %zero %zero
)" + std::string(code) + "OpReturn\nOpFunctionEnd\n",
                                             {split_choices}),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return run.text;
}

}  // namespace

TEST_CASE("printf with a selected format becomes a call for each format") {
    const std::string text = split(R"(
%f = OpSelect %ptr %t %fa %fb
%r = OpExtInst %u32 %cl printf %f %i
%s = OpSelect %ptr %t %fb %fa
%q = OpExtInst %u32 %cl printf %s %r
OpStore %o %q
)");
    CHECK(count(text, "printf") == 4);
    CHECK(count(text, "OpSwitch") == 2);
    CHECK(count(text, "OpSelectionMerge") == 2);
    CHECK(count(text, "OpPhi %uint") == 2);  // what the calls give
    CHECK(!contains(text, "OpSelect %_ptr"));
}

TEST_CASE("printf with a format of OpPhi: the number of the format is chosen as its address is") {
    const std::string text = split(R"(
OpSelectionMerge %m None
OpBranchConditional %t %x %y
%x = OpLabel
%own = OpInBoundsPtrAccessChain %ptr %a %zero %zero
OpBranch %m
%y = OpLabel
OpBranch %m
%m = OpLabel
%f = OpPhi %ptr %own %x %fb %y
%r = OpExtInst %u32 %cl printf %f
)");
    CHECK(count(text, "printf") == 2);
    CHECK(count(text, "OpPhi %uint") == 2);
    CHECK(!contains(text, "OpPhi %_ptr"));
}

TEST_CASE("printf in the first block of a loop: the loop is still declared there") {
    const std::string text = split(R"(
OpBranch %h
%h = OpLabel
%f = OpPhi %ptr %fa %e %g %h
%n = OpPhi %u32 %zero %e %m %h
%r = OpExtInst %u32 %cl printf %f %n
%m = OpIAdd %u32 %n %two
%less = OpULessThan %bool %m %i
%g = OpSelect %ptr %less %f %fb
OpLoopMerge %out %h None
OpBranchConditional %less %h %out
%out = OpLabel
)");
    CHECK(count(text, "printf") == 2);
    CHECK(count(text, "OpLoopMerge") == 1);
    CHECK(count(text, "OpSwitch") == 1);
}

TEST_CASE("printf with a format that may be unknown stays as it is") {
    CHECK(count(split("%f = OpSelect %ptr %t %fa %p\n%r = OpExtInst %u32 %cl printf %f\n"), "printf") == 1);
    CHECK(count(split("%r = OpExtInst %u32 %cl printf %p\n"), "printf") == 1);
    CHECK(count(split("%r = OpExtInst %u32 %cl printf %fa\n"), "OpSwitch") == 0);
}

}  // namespace caldera::vulkan
