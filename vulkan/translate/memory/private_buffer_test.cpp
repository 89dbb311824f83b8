// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

// Two kernels, "k" with arrays of 64 and 32 bytes, "m" with one of 64, and a function with one of 32 that "k"
// calls.
constexpr std::string_view kModule = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpEntryPoint Kernel %m "m"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%c7 = OpConstant %uint 7
%c8 = OpConstant %uint 8
%c16 = OpConstant %uint 16
%uint8 = OpTypeArray %uint %c8
%uint16 = OpTypeArray %uint %c16
%f_uint = OpTypePointer Function %uint
%f_uint8 = OpTypePointer Function %uint8
%f_uint16 = OpTypePointer Function %uint16
%fn = OpTypeFunction %void %uint
%of = OpTypeFunction %uint %uint
%called = OpFunction %uint None %of
%i = OpFunctionParameter %uint
%c_entry = OpLabel
%c = OpVariable %f_uint8 Function
%c_at = OpInBoundsAccessChain %f_uint %c %i
OpStore %c_at %c7
%c_value = OpLoad %uint %c_at
OpReturnValue %c_value
OpFunctionEnd
%k = OpFunction %void None %fn
%n = OpFunctionParameter %uint
%k_entry = OpLabel
%a = OpVariable %f_uint16 Function
%b = OpVariable %f_uint8 Function
%a_at = OpInBoundsAccessChain %f_uint %a %n
%b_at = OpInBoundsAccessChain %f_uint %b %n
%value = OpFunctionCall %uint %called %n
OpStore %a_at %value
OpStore %b_at %n
OpReturn
OpFunctionEnd
%m = OpFunction %void None %fn
%o = OpFunctionParameter %uint
%m_entry = OpLabel
%d = OpVariable %f_uint16 Function
%d_at = OpInBoundsAccessChain %f_uint %d %o
OpStore %d_at %c7
OpReturn
OpFunctionEnd
)";

PassRun lowered(uint64_t most_bytes, Abi abi = Abi::Addresses) {
    TranslateOptions options;
    options.profile.max_private_bytes = most_bytes;
    options.abi = abi;
    PassRun run = run_passes(
        kModule, {describe_kernels, lower_memory, lower_interface, lower_memory_model, derive_capabilities},
        options);
    return validated(std::move(run), spirv::Target::Vulkan12);
}

bool has_private_memory(const Kernel& kernel) {
    return std::ranges::any_of(
        kernel.hidden, [](const HiddenArgument& hidden) { return hidden.kind == HiddenKind::PrivateMemory; });
}

TEST_CASE("private objects that the profile allows are variables") {
    const PassRun run = lowered(128);
    CHECK(run.error == "");
    CHECK(count(run.text, " Function\n") == 4);
    CHECK(!contains(run.text, "OpConvertUToPtr"));
    for (const Kernel& kernel : run.interface.kernels) {
        CHECK(kernel.private_bytes == 0);
        CHECK(!has_private_memory(kernel));
    }
}

TEST_CASE("the largest of a kernel are in a buffer until the others are few enough") {
    const PassRun some = lowered(127), all = lowered(1);
    CHECK(some.error == "");
    CHECK(count(some.text, " Function\n") == 3);
    CHECK(count(some.text, "OpConvertUToPtr") == 1);
    CHECK(some.interface.kernels[0].private_bytes == 64);
    CHECK(has_private_memory(some.interface.kernels[0]));
    CHECK(some.interface.kernels[1].private_bytes == 0);
    CHECK(!has_private_memory(some.interface.kernels[1]));
    CHECK(all.error == "");
    CHECK(!contains(all.text, " Function\n"));
    CHECK(all.interface.kernels[0].private_bytes == 128);
    CHECK(all.interface.kernels[1].private_bytes == 64);
    for (const Kernel& kernel : all.interface.kernels) CHECK(has_private_memory(kernel));
}

TEST_CASE("a driver that refuses large ones gets them in a buffer") {
    DeviceProfile profile;
    CHECK(most_private_bytes(profile) == ~uint64_t{0});
    profile.quirks.refuses_large_private = true;
    CHECK(most_private_bytes(profile) == 12 * 1024);
    profile.quirks.slow_with_accesses = true;
    CHECK(most_private_bytes(profile) == 8 * 1024);
    profile.max_private_bytes = 100;
    CHECK(most_private_bytes(profile) == 100);
}

TEST_CASE("a small one is in a buffer if it has many accesses, for a compiler that is slow with them") {
    std::string more;
    for (int i = 0; i < 400; ++i) more += "OpStore %d_at %c7\n";
    std::string text(kModule);
    text.insert(text.rfind("OpReturn\n"), more);
    for (const bool slow : {false, true}) {
        TranslateOptions options;
        options.profile.quirks.slow_with_accesses = slow;
        const PassRun run = run_passes(text, {describe_kernels, lower_memory}, options);
        CHECK(run.error == "");
        CHECK(run.interface.kernels[0].private_bytes == 0);
        CHECK(run.interface.kernels[1].private_bytes == (slow ? 64 : 0));
    }
}

TEST_CASE("a small one with many accesses is in no buffer where these run once, and the kernel is parted") {
    std::string more;
    for (int i = 0; i < 401; ++i) more += "OpStore %d_at %c7\n";
    const std::string loop = "OpBranch %again\n%again = OpLabel\n" + more +
                             "OpLoopMerge %left %latch None\nOpBranchConditional %true %latch %left\n"
                             "%latch = OpLabel\nOpBranch %again\n%left = OpLabel\n";
    for (const bool repeated : {false, true}) {
        std::string text(kModule);
        text.insert(text.rfind("OpReturn\n"), repeated ? loop : more);
        text.insert(text.find("%fn ="), "%bool = OpTypeBool\n%true = OpConstantTrue %bool\n");
        TranslateOptions options;
        options.profile.quirks.slow_with_accesses = true;
        options.profile.quirks.slow_long_kernels = true;
        options.profile.quirks.masks_branches = true;
        options.profile.quirks.fences_are_barriers = true;
        const PassRun run = run_passes(text, {describe_kernels, lower_memory}, options);
        CHECK(run.error == "");
        CHECK(run.interface.kernels[1].private_bytes == (repeated ? 64 : 0));
    }
}

TEST_CASE("with descriptors the buffer is at a binding") {
    const PassRun run = lowered(1, Abi::Descriptors);
    CHECK(run.error == "");
    CHECK(!contains(run.text, "OpConvertUToPtr"));
    CHECK(contains(run.text, " Binding 4"));
    CHECK(run.interface.kernels[0].private_bytes == 128);
    for (const Kernel& kernel : run.interface.kernels) CHECK(!has_private_memory(kernel));
}

}  // namespace
}  // namespace caldera::vulkan
