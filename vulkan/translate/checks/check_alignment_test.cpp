// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

PassRun checked(const std::string& body, MemoryChecks checks = MemoryChecks::Alignment) {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int8
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %file = OpString "a.cl"
 OpName %a "a"
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %eight = OpConstant %u64 8
 %three = OpConstant %u64 3
 %array = OpTypeArray %u32 %eight
 %bytes = OpTypeArray %u8 %eight
 %global = OpTypePointer CrossWorkgroup %u32
 %private = OpTypePointer Function %u32
 %privates = OpTypePointer Function %array
 %byte = OpTypePointer Function %u8
 %own_bytes = OpTypePointer Function %bytes
 %bool = OpTypeBool
 %global_byte = OpTypePointer CrossWorkgroup %u8
 %global_long = OpTypePointer CrossWorkgroup %u64
 %fn_get = OpTypeFunction %u32 %private
 %event = OpTypeEvent
 %events = OpTypeArray %event %eight
 %event_at = OpTypePointer Function %event
 %own_events = OpTypePointer Function %events
 %no_event = OpConstantNull %event
 %fn = OpTypeFunction %void %global %u64
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %n = OpFunctionParameter %u64
 %entry = OpLabel
 %own = OpVariable %privates Function
 %chars = OpVariable %own_bytes Function
 %copies = OpVariable %own_events Function
)" + body + " OpReturn\n OpFunctionEnd\n";
    return run_passes(text, {describe_kernels, check_alignment}, {.checks = checks});
}

TEST_CASE(
    "check_alignment: addresses in global memory are checked where the instruction asks for more than a "
    "byte") {
    const PassRun run = checked(" OpLine %file 3 7\n %x = OpLoad %u32 %a Aligned 4\n");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "_Z11check_faultPU3AS1jjbmmmm"));
    REQUIRE(run.interface.check_sites.size() == 1);
    CHECK(run.interface.check_sites[0].kind == CheckKind::Alignment);
    CHECK(run.interface.check_sites[0].alignment_bytes == 4);
    CHECK(run.interface.check_sites[0].object == "a");
    CHECK(run.interface.check_sites[0].line == 3);
    CHECK(checked(" %x = OpLoad %u32 %a Aligned 1\n").interface.check_sites.empty());  // of a packed struct
    CHECK(checked(" %x = OpLoad %u32 %a Aligned 4\n", MemoryChecks::Bounds).interface.check_sites.empty());
}

TEST_CASE("check_alignment: sums of multiples in variables need no check, others do") {
    CHECK(checked(R"( %p = OpInBoundsAccessChain %private %own %n
 %x = OpLoad %u32 %p Aligned 4
)")
              .interface.check_sites.empty());
    CHECK(checked(R"( %p = OpInBoundsAccessChain %event_at %copies %three
 OpStore %p %no_event Aligned 8
 %x = OpLoad %event %p Aligned 8
)")
              .interface.check_sites.empty());  // pointers elsewhere, and four bytes here
    const PassRun run = checked(R"( %p = OpInBoundsAccessChain %byte %chars %three
 %q = OpBitcast %private %p
 %x = OpLoad %u32 %q Aligned 4
)");
    REQUIRE(run.interface.check_sites.size() == 1);
    CHECK(run.interface.check_sites[0].space == "private");
}

TEST_CASE("check_alignment: places that multiples are between are checked once") {
    const auto sites = [](const std::string& body) { return checked(body).interface.check_sites.size(); };
    const std::string first = " %x = OpLoad %u32 %a Aligned 4\n";
    CHECK(sites(first + " %p = OpInBoundsPtrAccessChain %global %a %n\n OpStore %p %x Aligned 4\n") == 1);
    CHECK(sites(first + R"( %b = OpBitcast %global_byte %a
 %p = OpInBoundsPtrAccessChain %global_byte %b %eight
 %q = OpBitcast %global %p
 OpStore %q %x Aligned 4
)") == 1);
    // Bytes may be between these, and another alignment is asked for here.
    CHECK(sites(first + R"( %b = OpBitcast %global_byte %a
 %p = OpInBoundsPtrAccessChain %global_byte %b %n
 %q = OpBitcast %global %p
 OpStore %q %x Aligned 4
)") == 2);
    CHECK(sites(first + R"( %b = OpBitcast %global_byte %a
 %p = OpInBoundsPtrAccessChain %global_byte %b %three
 %q = OpBitcast %global %p
 OpStore %q %x Aligned 4
)") == 2);
    CHECK(sites(first + " %p = OpBitcast %global_long %a\n OpStore %p %n Aligned 8\n") == 2);
    // Not where the first access is one of two ways.
    CHECK(sites(R"( %c = OpULessThan %bool %n %eight
 OpSelectionMerge %merge None
 OpBranchConditional %c %then %merge
 %then = OpLabel
 %x = OpLoad %u32 %a Aligned 4
 OpBranch %merge
 %merge = OpLabel
 %y = OpLoad %u32 %a Aligned 4
)") == 2);
}

TEST_CASE("check_alignment: every access that is not reported is left out, too") {
    const std::string text = checked(R"( %x = OpLoad %u32 %a Aligned 4
 %p = OpInBoundsPtrAccessChain %global %a %n
 OpStore %p %x Aligned 4
)")
                                 .text;
    CHECK(contains(text, "OpSelect"));
    CHECK(!contains(text, "OpLoad %uint %a "));
    CHECK(!contains(text, "OpStore %p "));
}

TEST_CASE("check_alignment: parameters are as aligned as what all calls pass") {
    const auto sites = [](const std::string& pointer, bool calls_twice = false) {
        const std::string again = calls_twice ? " %s = OpFunctionCall %u32 %get %private_own\n" : "";
        return checked(" %private_own = OpInBoundsAccessChain %private %own %eight\n" + pointer +
                       " %r = OpFunctionCall %u32 %get %q\n" + again + R"( OpReturn
 OpFunctionEnd
 %get = OpFunction %u32 None %fn_get
 %at = OpFunctionParameter %private
 %in_get = OpLabel
 %l = OpLoad %u32 %at Aligned 4
 OpReturnValue %l
 OpFunctionEnd
 %last = OpFunction %void None %fn
 %la = OpFunctionParameter %global
 %ln = OpFunctionParameter %u64
 %in_last = OpLabel
)")
            .interface.check_sites.size();
    };
    const std::string own = " %q = OpInBoundsAccessChain %private %own %n\n";
    const std::string bytes = " %b = OpInBoundsAccessChain %byte %chars %n\n %q = OpBitcast %private %b\n";
    CHECK(sites(own) == 0);
    CHECK(sites(own, true) == 0);
    CHECK(sites(bytes) == 1);
    CHECK(sites(bytes, true) == 1);
}

}  // namespace
}  // namespace caldera::vulkan
