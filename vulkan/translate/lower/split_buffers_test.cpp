// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// Two buffers, of which a kernel loads, stores and exchanges.
PassRun run_with(SplitBuffers split) {
    TranslateOptions options;
    options.split_buffers = std::move(split);
    return validated(run_passes(R"( OpCapability Shader
 OpMemoryModel Logical GLSL450
 OpEntryPoint GLCompute %k "k" %a %b %data
 OpExecutionMode %k LocalSize 1 1 1
 OpDecorate %words ArrayStride 4
 OpDecorate %block Block
 OpMemberDecorate %block 0 Offset 0
 OpDecorate %a DescriptorSet 0
 OpDecorate %a Binding 0
 OpDecorate %b DescriptorSet 0
 OpDecorate %b Binding 1
 OpDecorate %data DescriptorSet 1
 OpDecorate %data Binding 0
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %c0 = OpConstant %u32 0
 %c1 = OpConstant %u32 1
 %c7 = OpConstant %u32 7
 %c64 = OpConstant %u32 64
 %words = OpTypeRuntimeArray %u32
 %block = OpTypeStruct %words
 %buffer = OpTypePointer StorageBuffer %block
 %word = OpTypePointer StorageBuffer %u32
 %a = OpVariable %buffer StorageBuffer
 %b = OpVariable %buffer StorageBuffer
 %data = OpVariable %buffer StorageBuffer
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
 %pa = OpAccessChain %word %a %c0 %c7
 %pb = OpAccessChain %word %b %c0 %c7
 %pd = OpAccessChain %word %data %c0 %c7
 %x = OpLoad %u32 %pa
 %y = OpLoad %u32 %pb
 %z = OpAtomicCompareExchange %u32 %pa %c1 %c64 %c64 %x %y
 OpStore %pa %y
 OpStore %pa %z
 OpStore %pb %x
 OpStore %pd %x
 OpReturn
 OpFunctionEnd
)",
                                {split_buffers, clean_up}, options, {}, spirv::Target::Vulkan12),
                     spirv::Target::Vulkan12);
}

TEST_CASE("split_buffers: nothing changes for buffers that one descriptor can say") {
    const PassRun run = run_with({.parts = {1, 1}, .part_bits = 16});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpTypeArray") == 0);
    CHECK(count(run.text, "OpFunctionCall") == 0);
}

TEST_CASE("split_buffers: an access chooses a part by the high bits of its index") {
    const PassRun run = run_with({.parts = {4}, .part_bits = 16});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpTypeArray") == 1);
    CHECK(count(run.text, "OpSwitch") == 3);  // a load, an exchange and a store, which serves two
    CHECK(count(run.text, "OpFunctionCall") == 4);
    CHECK(count(run.text, "OpAccessChain") == 3 * 4 + 2);  // and those of the other buffers
    CHECK(contains(run.text, "%uint_14"));                 // words of 64 KiB
    CHECK(contains(run.text, "%uint_16383"));
}

TEST_CASE("split_buffers: each buffer has its own number of parts") {
    const PassRun run = run_with({.parts = {2, 3}, .part_bits = 20});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpTypeArray") == 2);
    CHECK(count(run.text, "OpAccessChain") == 3 * 2 + 2 * 3 + 1);
}

}  // namespace
}  // namespace caldera::vulkan
