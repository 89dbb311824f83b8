// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kModule = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpName %number "number"
 OpName %other "other"
 OpName %numbers "numbers"
 OpName %waits "waits"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %four = OpConstant %u32 4
 %array = OpTypeArray %u32 %four
 %event = OpTypeEvent
 %to_u32 = OpTypePointer Function %u32
 %to_array = OpTypePointer Function %array
 %to_event = OpTypePointer Function %event
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
 %number = OpVariable %to_u32 Function
 %other = OpVariable %to_u32 Function %four
 %numbers = OpVariable %to_array Function
 %waits = OpVariable %to_event Function
 OpStore %number %four
 OpReturn
 OpFunctionEnd
)";

}  // namespace

TEST_CASE("private variables get zeros on entry, but those with a value and those that are no memory") {
    const PassRun run = run_passes(kModule, {initialize_memory}, {.initialize_private = true});
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpStore %number %uint_0\n"));
    CHECK(contains(run.text, "UniformConstant %"));
    CHECK(contains(run.text, "OpCopyMemory %numbers"));
    CHECK(!contains(run.text, "OpStore %other"));
    CHECK(!contains(run.text, "OpStore %waits"));
    CHECK(run.text.find("OpStore %number %uint_0") < run.text.find("OpStore %number %uint_4"));
}

TEST_CASE("without the option nothing changes") {
    const PassRun run = run_passes(kModule, {initialize_memory}), before = run_passes(kModule, {});
    CHECK(run.text == before.text);
}

}  // namespace caldera::vulkan
