// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// Two kernels, of which `k` has the body.
PassRun checked(const std::string& body, MemoryChecks checks = MemoryChecks::Barriers,
                uint64_t local_bytes = 32768) {
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
 %size = OpConstant %u32 7940
 %array = OpTypeArray %u32 %size
 %to_array = OpTypePointer Workgroup %array
 %large = OpVariable %to_array Workgroup
 %to_u32 = OpTypePointer Workgroup %u32
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
    TranslateOptions options{.checks = checks};
    options.profile.max_local_bytes = local_bytes;
    return run_passes(text, {describe_kernels, check_barriers}, options);
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

TEST_CASE("check_barriers: a kernel without local memory for the counters is left alone") {
    const std::string uses = " %p = OpInBoundsAccessChain %to_u32 %large %two\n OpStore %p %two Aligned 4\n";
    const auto sites = [&](const std::string& body, uint64_t local_bytes) {
        return checked(body, MemoryChecks::Barriers, local_bytes).interface.check_sites.size();
    };
    CHECK(sites(uses + kBarrier, 32768) == 1);  // 31,760 bytes beside 820
    CHECK(sites(uses + kBarrier, 32256) == 0);
    CHECK(sites(kBarrier, 32256) == 1);  // it does not have the array
}

}  // namespace
}  // namespace caldera::vulkan
