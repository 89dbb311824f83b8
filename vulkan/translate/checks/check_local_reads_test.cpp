// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

PassRun with_local_reads_checked(const std::string& body) {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpName %words "words"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %eight = OpConstant %u32 8
 %array = OpTypeArray %u64 %eight
 %to_array = OpTypePointer Workgroup %array
 %to_u32 = OpTypePointer Workgroup %u32
 %to_u64 = OpTypePointer Workgroup %u64
 %words = OpVariable %to_array Workgroup
 %fn = OpTypeFunction %void %u64
 %k = OpFunction %void None %fn
 %i = OpFunctionParameter %u64
 %entry = OpLabel
 %long = OpInBoundsAccessChain %to_u64 %words %i
 %short = OpBitcast %to_u32 %long
)" + body + R"( OpReturn
 OpFunctionEnd
)";
    return run_passes(text, {describe_kernels, check_local_reads}, {.checks = MemoryChecks::Uninitialised});
}

}  // namespace

TEST_CASE("check_local_reads: a load within one word of four bytes looks at that word alone") {
    const auto calls = [](const std::string& body, const std::string& function) {
        const PassRun run = with_local_reads_checked(body);
        REQUIRE(run.error == "");
        CHECK(run.interface.check_sites.size() == 1);
        return count(run.text, "\"" + function + "\"");
    };
    constexpr const char *kWord = "_Z16check_local_wordmjDv2_m", *kLoad = "_Z16check_local_loadmjDv2_m";
    const std::string use = "%sum = OpIAdd %u32 %value %value\n";
    CHECK(calls("%value = OpLoad %u32 %short Aligned 4\n" + use, kWord) == 1);
    CHECK(calls("%value = OpLoad %u32 %short Aligned 4\n" + use, kLoad) == 0);
    CHECK(calls("%value = OpLoad %u32 %short Aligned 2\n" + use, kLoad) == 1);  // it may be in two
    CHECK(calls("%value = OpLoad %u64 %long Aligned 8\n%sum = OpIAdd %u64 %value %value\n", kLoad) == 1);
}

}  // namespace caldera::vulkan
