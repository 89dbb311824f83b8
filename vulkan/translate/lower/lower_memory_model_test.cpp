// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kHead = R"( OpCapability Addresses
 OpCapability Kernel
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
)";

std::string lowered(bool fences_are_barriers, bool vulkan_memory_model = true) {
    TranslateOptions options;
    options.profile.quirks.fences_are_barriers = fences_are_barriers;
    options.profile.vulkan_memory_model = vulkan_memory_model;
    const PassRun run = run_passes(std::string(kHead) + R"( %device = OpConstant %u32 1
 %acquire = OpConstant %u32 514
 %release = OpConstant %u32 516
 %both = OpConstant %u32 520
 %sequential = OpConstant %u32 528
 %pointer = OpTypePointer Workgroup %u32
 %word = OpVariable %pointer Workgroup
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
 OpMemoryBarrier %device %both
 %value = OpAtomicLoad %u32 %word %device %acquire
 OpAtomicStore %word %device %release %value
 OpAtomicStore %word %device %sequential %value
 %found = OpAtomicCompareExchange %u32 %word %device %both %acquire %device %value
 OpControlBarrier %device %device %both
 OpReturn
 OpFunctionEnd
)",
                                   {lower_memory_model}, options);
    REQUIRE(run.error == "");
    return run.text;
}
TEST_CASE("lower_memory_model: fences") {
    const std::string usual = lowered(false);
    CHECK(count(usual, "OpMemoryBarrier") == 2);  // one before what is sequentially consistent
    CHECK(count(usual, "OpAtomicIAdd") == 0);
    CHECK(contains(usual, "%uint_1 %uint_16450\n"));  // acquire and make visible, of global memory
}

TEST_CASE("lower_memory_model: no fences for a driver that makes barriers of them") {
    const std::string careful = lowered(true);
    CHECK(count(careful, "OpMemoryBarrier") == 0);
    // The fence, behind the load, before the store, on both sides of the sequentially consistent one.
    CHECK(count(careful, "OpAtomicIAdd") == 5);
    CHECK(count(careful, "OpIAdd") == 1);               // what is compared is an integer
    CHECK(contains(careful, "%uint_1 %uint_32768\n"));  // the load is relaxed, and no other stands for it
    CHECK(contains(lowered(true, false), "%uint_1 %uint_0\n"));  // GLSL's model knows no volatile ones
    CHECK(count(careful, "OpControlBarrier") == 1);
}

TEST_CASE("lower_memory_model: the work-item's own scope has no semantics, barriers always have some") {
    const auto text = [](bool fences_are_barriers) {
        TranslateOptions options;
        options.profile.quirks.fences_are_barriers = fences_are_barriers;
        const PassRun run = run_passes(std::string(kHead) + R"( %none = OpConstant %u32 0
 %group = OpConstant %u32 2
 %sub = OpConstant %u32 3
 %own = OpConstant %u32 4
 %both = OpConstant %u32 520
 %pointer = OpTypePointer Workgroup %u32
 %word = OpVariable %pointer Workgroup
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
 OpMemoryBarrier %own %both
 OpControlBarrier %group %own %both
 OpControlBarrier %group %group %none
 OpControlBarrier %sub %own %none
 %value = OpAtomicIAdd %u32 %word %own %both %both
 OpReturn
 OpFunctionEnd
)",
                                       {lower_memory_model}, options);
        REQUIRE(run.error == "");
        return run.text;
    };
    const std::string usual = text(false);
    CHECK(count(usual, "OpMemoryBarrier") == 0);
    CHECK(contains(usual,
                   "OpControlBarrier %uint_2 %uint_2 %uint_24648\n"));  // acquire-release of global memory
    CHECK(contains(usual, "OpControlBarrier %uint_2 %uint_2 %uint_24904\n"));  // of local memory too
    CHECK(contains(usual, "OpControlBarrier %uint_3 %uint_3 %uint_24904\n"));
    CHECK(contains(usual, "%uint_4 %uint_0 %uint_520\n"));
    CHECK(count(text(true), "OpAtomicIAdd") ==
          2);  // a fence for the sub-group's barrier, none for the work-item's own
}

TEST_CASE("lower_memory_model: fences before volatile accesses to local memory where these change places") {
    TranslateOptions options;
    options.profile.subgroups = true;
    const auto fences = [&] {
        const PassRun run = run_passes(std::string(kHead) + R"( %local = OpTypePointer Workgroup %u32
 %word = OpVariable %local Workgroup
 %other = OpVariable %local Workgroup
 %private = OpTypePointer Function %u32
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
 %own = OpVariable %private Function
 %a = OpLoad %u32 %word Volatile
 OpStore %other %a Volatile
 %b = OpLoad %u32 %other
 OpStore %word %b Aligned 4
 OpStore %own %b Volatile
 OpReturn
 OpFunctionEnd
)",
                                       {lower_memory_model}, options);
        REQUIRE(run.error == "");
        return count(run.text, "OpMemoryBarrier %uint_3 ");
    };
    CHECK(fences() == 0);
    options.profile.quirks.reorders_volatile = true;
    CHECK(fences() == 2);
}

}  // namespace
}  // namespace caldera::vulkan
