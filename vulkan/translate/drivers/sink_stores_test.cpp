// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// A switch with so many cases, each of which ends with `end`; N in it is the case's number.
std::string sunk(int cases, std::string_view end, std::string_view otherwise, bool slow = true) {
    std::string text = R"(
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpExtension "SPV_KHR_physical_storage_buffer"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %k "k"
OpExecutionMode %k LocalSize 1 1 1
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%c1 = OpConstant %int 1
%l4 = OpConstant %long 4
%u = OpUndef %int
%to = OpUndef %long
%pointer = OpTypePointer PhysicalStorageBuffer %int
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
%p = OpConvertUToPtr %pointer %to
OpSelectionMerge %merge None
OpSwitch %u %default)";
    for (int i = 0; i < cases; ++i) text += " " + std::to_string(i) + " %case" + std::to_string(i);
    for (int i = 0; i <= cases; ++i) {
        const std::string number = i == cases ? "default" : "case" + std::to_string(i);
        text += "\n%" + number + " = OpLabel\n";
        for (const char letter : i == cases ? otherwise : end)
            text += letter == 'N' ? number : std::string(1, letter);
        text += "OpBranch %merge";
    }
    TranslateOptions options;
    options.profile.quirks.slow_with_accesses = slow;
    const PassRun run = validated(run_passes(text + "\n%merge = OpLabel\nOpReturn\nOpFunctionEnd\n",
                                             {sink_stores}, options, {}, spirv::Target::Vulkan12),
                                  spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    return run.text;
}

constexpr std::string_view kSamePlace = "%vN = OpIAdd %int %u %c1\nOpStore %p %vN Aligned 4\n";
constexpr std::string_view kOtherPlaces =
    "%aN = OpIAdd %long %to %l4\n%pN = OpConvertUToPtr %pointer %aN\nOpStore %pN %c1 Aligned 4\n";

}  // namespace

TEST_CASE("sink_stores: one store for all cases") {
    const std::string values = sunk(8, kSamePlace, kSamePlace);
    CHECK(count(values, "OpStore") == 1);
    CHECK(count(values, "OpPhi %uint") == 1);
    const std::string places = sunk(8, kOtherPlaces, kOtherPlaces);
    CHECK(count(places, "OpStore") == 1);
    CHECK(count(places, "OpPhi %ulong") == 1);
    CHECK(count(places, "OpPhi %uint") == 0);
    CHECK(count(sunk(8, kOtherPlaces, kSamePlace), "OpStore") == 1);
}

TEST_CASE("sink_stores: a case that ends without such a store is told by a phi") {
    for (const std::string_view otherwise :
         {"", "OpStore %p %c1 Volatile|Aligned 4\n", "OpStore %p %c1 Aligned 8\n"}) {
        const std::string text = sunk(8, kOtherPlaces, otherwise);
        CHECK(count(text, "OpStore") == (otherwise.empty() ? 1 : 2));
        CHECK(count(text, "OpPhi %bool") == 1);
        CHECK(count(text, "OpPhi %ulong") == 1);
        CHECK(count(text, "OpSelectionMerge") == 2);
    }
    CHECK(count(sunk(7, kOtherPlaces, ""), "OpStore") == 7);
}

TEST_CASE("sink_stores: only where cases end with such stores") {
    CHECK(count(sunk(4, kSamePlace, kSamePlace), "OpStore") == 5);
    CHECK(count(sunk(8, kSamePlace, kSamePlace, false), "OpStore") == 9);
}
