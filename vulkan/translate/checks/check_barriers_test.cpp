// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// Two kernels, of which `k` has the body.
PassRun checked(const std::string& body, MemoryChecks checks = MemoryChecks::Barriers) {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpEntryPoint Kernel %other "other"
 %file = OpString "a.cl"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %two = OpConstant %u32 2
 %three = OpConstant %u32 3
 %order = OpConstant %u32 264
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
)" + body + R"( OpReturn
 OpFunctionEnd
 %other = OpFunction %void None %fn
 %only = OpLabel
 OpReturn
 OpFunctionEnd
)";
    return run_passes(text, {describe_kernels, check_barriers}, {.checks = checks});
}

constexpr const char* kBarrier = " OpLine %file 5 2\n OpControlBarrier %two %two %order\n";

TEST_CASE("check_barriers: work-items count before and behind a barrier, in kernels that have one") {
    const PassRun run = checked(kBarrier);
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "_Z12check_arrivejPU3AS3jj"));
    CHECK(contains(run.text, "_Z14check_completePU3AS3jj"));
    CHECK(count(run.text, "OpFunctionCall") == 5);    // one clears the counters of `k`
    CHECK(count(run.text, "OpControlBarrier") == 2);  // and waits
    REQUIRE(run.interface.check_sites.size() == 1);
    CHECK(run.interface.check_sites[0].kind == CheckKind::Barrier);
    CHECK(run.interface.check_sites[0].line == 5);
}

TEST_CASE("check_barriers: barriers of sub-groups are left alone, and all if nothing is asked for") {
    CHECK(checked(" OpControlBarrier %three %three %order\n").interface.check_sites.empty());
    const PassRun run = checked(kBarrier, MemoryChecks::Alignment);
    CHECK(count(run.text, "OpFunctionCall") == 0);
    CHECK(count(run.text, "OpControlBarrier") == 1);
}

}  // namespace
}  // namespace caldera::vulkan
