// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// A switch with so many cases, each of which ends with `end`; N in it is the case's number.
std::string module_text(int cases, std::string_view end, std::string_view otherwise) {
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
    return text + "\n%merge = OpLabel\nOpReturn\nOpFunctionEnd\n";
}
TranslateOptions options_of(bool slow) {
    TranslateOptions options;
    options.profile.quirks.slow_with_accesses = slow;
    return options;
}
std::string sunk(int cases, std::string_view end, std::string_view otherwise, bool slow = true) {
    const PassRun run = validated(run_passes(module_text(cases, end, otherwise), {sink_stores},
                                             options_of(slow), {}, spirv::Target::Vulkan12),
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

TEST_CASE("sink_stores: a store goes behind what is told of variables after it, and nothing else does") {
    constexpr std::string_view kVariable = R"(
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel)",
                               kTypes = R"(
%source = OpExtInst %void %debug DebugSource %name
%unit = OpExtInst %void %debug DebugCompilationUnit 100 4 %source OpenCL_C
%basic = OpExtInst %void %debug DebugTypeBasic %name %c32 Signed
%x = OpExtInst %void %debug DebugLocalVariable %name %basic %source 2 7 %unit None
%nothing = OpExtInst %void %debug DebugExpression
%fn = )",
                               kName = "%name = OpString \"x\"\n%void = ",
                               kValue = "%eN = OpExtInst %void %debug DebugValue %x %vN %nothing\n";
    const auto run = [&](std::string_view end, bool slow) {
        std::string text = module_text(8, end, end);
        const auto replace = [&](std::string_view from, std::string_view to) {
            text.replace(text.find(from), from.size(), to);
        };
        replace("\nOpMemoryModel", kVariable);
        replace("%void = ", kName);
        replace("\n%fn = ", "\n%c32 = OpConstant %int 32" + std::string(kTypes));
        const PassRun made = run_passes(text, {sink_stores}, options_of(slow), {}, spirv::Target::Vulkan12);
        REQUIRE(made.error == "");
        return made.text;
    };
    const std::string adds = "%vN = OpIAdd %int %u %c1\n" + std::string(kValue);
    CHECK(run(adds, true) == run(adds, false));
    const std::string stores = run(std::string(kSamePlace) + std::string(kValue), true);
    CHECK(count(stores, "OpStore") == 1);
    CHECK(count(stores, "DebugValue") == 9);
}
