// SPDX-License-Identifier: Apache-2.0
#include "spirv/untyped_pointers.h"

#include <doctest/doctest.h>

#include "spirv/spirv.h"
#include "tests/support/why.h"

using namespace caldera::spirv;

namespace {

constexpr std::string_view kModule = R"(OpCapability Addresses
OpCapability Kernel
OpCapability UntypedPointersKHR
OpExtension "SPV_KHR_untyped_pointers"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "Untyped"
%void = OpTypeVoid
%far = OpTypeUntypedPointerKHR CrossWorkgroup
%own = OpTypeUntypedPointerKHR Function ; Untyped
%int = OpTypeInt 32 0
%event = OpTypeEvent
%c1 = OpConstant %int 1
%pair = OpTypeStruct %int %int
%none = OpTypeStruct
%null = OpConstantNull %pair
%v = OpUntypedVariableKHR %far CrossWorkgroup %pair %null
%w = OpUntypedVariableKHR %far CrossWorkgroup
%a = OpSpecConstantOp %far UntypedInBoundsAccessChainKHR %pair %v %c1
%b = OpSpecConstantOp %int IAdd %c1 %c1
%fnk = OpTypeFunction %void %far
%k = OpFunction %void None %fnk
%p = OpFunctionParameter %far
%label = OpLabel
%x = OpUntypedVariableKHR %own Function %int
%x2 = OpCompositeConstruct %pair %c1 %c1
%e1 = OpUntypedAccessChainKHR %far %pair %p %c1
%e2 = OpUntypedInBoundsAccessChainKHR %far %pair %p
%e3 = OpUntypedPtrAccessChainKHR %far %pair %p %c1 %c1
%e4 = OpUntypedInBoundsPtrAccessChainKHR %far %pair %p %c1
%e5 = OpUntypedArrayLengthKHR %int %pair %p 1
OpUntypedPrefetchKHR %p %c1
OpUntypedPrefetchKHR %p %c1 %c1 %c1 %c1 Nontemporal
%e6 = OpUntypedGroupAsyncCopyKHR %event %c1 %p %p %c1 %c1 %c1 %null Aligned 4 Volatile|Aligned 8
OpReturn
OpFunctionEnd
)";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("untyped pointers are assembled, read and disassembled, whatever SPIRV-Tools know") {
    const auto words = assemble(kModule, Target::OpenCL22);
    REQUIRE_MESSAGE(words, why(words));
    CHECK(has_untyped_pointers(*words));
    const auto module = read(*words);
    REQUIRE_MESSAGE(module, why(module));
    CHECK(verify(*module));
    const auto text = disassemble(write(*module), true);
    REQUIRE_MESSAGE(text, why(text));
    for (const std::string_view part : {"OpCapability Addresses\n",
                                        "OpCapability UntypedPointersKHR\n",
                                        "OpExtension \"SPV_KHR_untyped_pointers\"",
                                        " = OpTypeUntypedPointerKHR CrossWorkgroup\n",
                                        " = OpTypeUntypedPointerKHR Function\n",
                                        " = OpTypeStruct %uint %uint\n",
                                        " = OpTypeStruct\n",
                                        " CrossWorkgroup\n",
                                        " UntypedInBoundsAccessChainKHR %_struct_",
                                        " IAdd %uint_1 %uint_1\n",
                                        " Function %uint\n",
                                        " = OpCompositeConstruct %_struct_",
                                        " = OpUntypedAccessChainKHR ",
                                        " = OpUntypedInBoundsAccessChainKHR ",
                                        " = OpUntypedPtrAccessChainKHR ",
                                        " = OpUntypedInBoundsPtrAccessChainKHR ",
                                        " = OpUntypedArrayLengthKHR %uint ",
                                        " 1\n",
                                        " OpUntypedPrefetchKHR %",
                                        " %uint_1 %uint_1 %uint_1 %uint_1 Nontemporal\n",
                                        " = OpUntypedGroupAsyncCopyKHR ",
                                        " Aligned 4 Volatile|Aligned 8\n"})
        CHECK_MESSAGE(contains(*text, part), part << " is not in\n" << *text);
    // The text means the same words, but for the numbers of ids.
    const auto again = assemble(*text, Target::OpenCL22);
    REQUIRE_MESSAGE(again, why(again));
    CHECK(again->size() == words->size());
    CHECK(*disassemble(*again, true) == *text);
}

TEST_CASE("a module without untyped pointers has none, and words that are no module neither") {
    CHECK(!has_untyped_pointers({}));
    const uint32_t cut[] = {0, 0, 0, 0, 0, 9u << 16 | static_cast<uint32_t>(kUntypedVariable), 1};
    CHECK(!has_untyped_pointers(cut));
    CHECK(stand_in_for_untyped_pointers(cut).size() == 5);
    // Instructions that are too short stand for themselves.
    for (const spv::Op op : {kTypeUntypedPointer, kUntypedVariable, kUntypedArrayLength, kUntypedPrefetch}) {
        const uint32_t bare[] = {0, 0, 0, 0, 0, 1u << 16 | static_cast<uint32_t>(op)};
        CHECK(stand_in_for_untyped_pointers(bare) == std::vector<uint32_t>(std::begin(bare), std::end(bare)));
    }
    CHECK(number_untyped_pointers("%a = Untyped\nOpUntyped\n%b = OpSpecConstantOp\n\n= Untyped") ==
          "%a = Untyped\nOpUntyped\n%b = OpSpecConstantOp\n\n= Untyped\n");
}

TEST_CASE("faults in assembly with untyped pointers are at their lines") {
    const auto words =
        assemble("OpCapability UntypedPointersKHR\n%a = OpTypeUntypedPointerKHR Function\nOpWrong\n",
                 Target::OpenCL22);
    REQUIRE(!words);
    CHECK(contains(words.error().message, "3:"));
}
