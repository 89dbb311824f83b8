// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

// What lower_memory leaves of a kernel with local arrays of 8 and 4 elements, of which it uses `shared`
// alone.
constexpr std::string_view kModule = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpName %shared "shared"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %v2 = OpTypeVector %u32 2
 %four = OpConstant %u32 4
 %eight = OpConstant %u32 8
 %array = OpTypeArray %u32 %eight
 %array2 = OpTypeArray %v2 %four
 %to_array = OpTypePointer Workgroup %array
 %to_array2 = OpTypePointer Workgroup %array2
 %to_u32 = OpTypePointer Workgroup %u32
 %fn = OpTypeFunction %void
 %shared = OpVariable %to_array Workgroup
 %unused = OpVariable %to_array2 Workgroup
 %k = OpFunction %void None %fn
 %entry = OpLabel
 %p = OpAccessChain %to_u32 %shared %four
 OpStore %p %four Aligned 4
 OpReturn
 OpFunctionEnd
)";

PassRun lowered(bool initialize) {
    return validated(
        run_passes(kModule, {describe_kernels, lower_interface, lower_memory_model, derive_capabilities},
                   {.initialize_local = initialize}),
        spirv::Target::Vulkan12);
}

}  // namespace

TEST_CASE("lower_interface clears the local arrays that a kernel uses, and waits, before anything else") {
    const PassRun run = lowered(true);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpLoopMerge") == 1);
    CHECK(count(run.text, "OpControlBarrier") == 1);
    CHECK(count(run.text, "OpAccessChain") == 2);  // the loop's access chain, and the kernel's
    CHECK(run.text.find("OpControlBarrier") < run.text.rfind("OpStore"));
}

TEST_CASE("lower_interface clears a block of local memory once, by its widest elements") {
    constexpr std::string_view kBlocks = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpName %words "words"
 OpName %pairs "pairs"
 OpDecorate %array ArrayStride 4
 OpDecorate %array2 ArrayStride 8
 OpDecorate %block Block
 OpDecorate %block2 Block
 OpMemberDecorate %block 0 Offset 0
 OpMemberDecorate %block2 0 Offset 0
 OpDecorate %words Aliased
 OpDecorate %pairs Aliased
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %v2 = OpTypeVector %u32 2
 %zero = OpConstant %u32 0
 %four = OpConstant %u32 4
 %eight = OpConstant %u32 8
 %array = OpTypeArray %u32 %eight
 %array2 = OpTypeArray %v2 %four
 %block = OpTypeStruct %array
 %block2 = OpTypeStruct %array2
 %to_block = OpTypePointer Workgroup %block
 %to_block2 = OpTypePointer Workgroup %block2
 %to_u32 = OpTypePointer Workgroup %u32
 %to_v2 = OpTypePointer Workgroup %v2
 %fn = OpTypeFunction %void
 %words = OpVariable %to_block Workgroup
 %pairs = OpVariable %to_block2 Workgroup
 %k = OpFunction %void None %fn
 %entry = OpLabel
 %p = OpAccessChain %to_u32 %words %zero %four
 OpStore %p %four Aligned 4
 %q = OpAccessChain %to_v2 %pairs %zero %zero
 %v = OpLoad %v2 %q Aligned 8
 OpReturn
 OpFunctionEnd
)";
    TranslateOptions options{.target = spirv::Target::Vulkan12, .initialize_local = true};
    options.profile.workgroup_explicit_layout = true;
    const PassRun run = run_passes(
        kBlocks, {describe_kernels, lower_interface, lower_memory_model, derive_capabilities}, options);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpLoopMerge") == 1);
    CHECK(count(run.text, "OpAccessChain %_ptr_Workgroup_v2uint %pairs %uint_0 %") == 2);
}

TEST_CASE("lower_interface leaves local memory as it is otherwise") {
    const PassRun run = lowered(false);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpLoopMerge") == 0);
    CHECK(count(run.text, "OpControlBarrier") == 0);
}

}  // namespace caldera::vulkan
