// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string module_text(const std::string& body) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int8
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %file = OpString "a.cl"
 OpName %a "a"
 OpName %table "table"
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %four = OpConstant %u64 4
 %three = OpConstant %u64 3
 %one = OpConstant %u32 1
 %array = OpTypeArray %u32 %four
 %global = OpTypePointer CrossWorkgroup %u32
 %globals = OpTypePointer CrossWorkgroup %array
 %private = OpTypePointer Function %u32
 %privates = OpTypePointer Function %array
 %pointers = OpTypePointer Function %global
 %init = OpConstantNull %array
 %table = OpVariable %globals CrossWorkgroup %init
 %fn = OpTypeFunction %void %global %u64
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %n = OpFunctionParameter %u64
 %entry = OpLabel
 %kept = OpVariable %pointers Function
 %own = OpVariable %privates Function
 OpStore %kept %a Aligned 8
)" + body + " OpReturn\n OpFunctionEnd\n";
}

PassRun checked(const std::string& body, MemoryChecks checks) {
    return run_passes(module_text(body), {describe_kernels, check_accesses}, {.checks = checks});
}

constexpr const char* kStore = R"( OpLine %file 3 7
 %p = OpLoad %global %kept Aligned 8
 %q = OpInBoundsPtrAccessChain %global %p %n
 OpStore %q %one Aligned 4
)";

TEST_CASE("check_accesses: nothing changes where nothing is asked for") {
    const PassRun run = checked(kStore, MemoryChecks::None);
    CHECK(run.error == "");
    CHECK(count(run.text, "OpFunctionCall") == 0);
    CHECK(contains(run.text, "OpLoad"));  // the variable is not promoted
    CHECK(run.interface.check_sites.empty());
}

TEST_CASE("check_accesses: a pointer of a variable is that of the argument, and its place is known") {
    const PassRun run = checked(kStore, MemoryChecks::Bounds);
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "_Z12check_insidePU3AS1jjmjmmm"));
    CHECK(contains(run.text, "_Z14check_argumentPU3AS1jj"));
    REQUIRE(run.interface.check_sites.size() == 1);
    const CheckSite& site = run.interface.check_sites[0];
    CHECK(site == CheckSite{.access = CheckedAccess::Store,
                            .size_bytes = 4,
                            .alignment_bytes = 4,
                            .file = "a.cl",
                            .line = 3,
                            .column = 7,
                            .function = site.function,
                            .object = "a",
                            .is_argument = true});
}

TEST_CASE("check_accesses: guards have no places, and pointers from memory may point anywhere") {
    const PassRun inside = checked(kStore, MemoryChecks::Guard);
    CHECK(inside.error == "");
    CHECK(contains(inside.text, "_Z12guard_insidemjmmm"));
    CHECK(inside.interface.check_sites.empty());
    const PassRun any =
        checked(" %p = OpConvertUToPtr %global %n\n %x = OpLoad %u32 %p Aligned 4\n", MemoryChecks::Guard);
    CHECK(any.error == "");
    CHECK(contains(any.text, "_Z9guard_anyPU3AS1jmjm"));
}

TEST_CASE("check_accesses: constant places in variables need no check, others do") {
    const PassRun inside = checked(R"( %p = OpInBoundsAccessChain %global %table %three
 %x = OpLoad %u32 %p Aligned 4
 %q = OpInBoundsAccessChain %private %own %three
 OpStore %q %x Aligned 4
)",
                                   MemoryChecks::Bounds);
    CHECK(inside.error == "");
    CHECK(inside.interface.check_sites.empty());
    const PassRun outside = checked(R"( %p = OpInBoundsAccessChain %global %table %four
 %x = OpLoad %u32 %p Aligned 4
 %q = OpInBoundsAccessChain %private %own %n
 OpStore %q %x Aligned 4
)",
                                    MemoryChecks::Bounds);
    CHECK(outside.error == "");
    REQUIRE(outside.interface.check_sites.size() == 2);
    CHECK(outside.interface.check_sites[0].object == "table");
    CHECK(outside.interface.check_sites[1].space == "private");
    CHECK(contains(outside.text, "_Z11check_indexPU3AS1jjmmjm"));
}

TEST_CASE("check_accesses: descriptors are declined") {
    const PassRun run = run_passes(module_text(kStore), {describe_kernels, check_accesses},
                                   {.abi = Abi::Descriptors, .checks = MemoryChecks::Guard});
    CHECK(contains(run.error, "accesses are checked by addresses only"));
}

}  // namespace
}  // namespace caldera::vulkan
