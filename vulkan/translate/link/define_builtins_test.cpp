// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kHead = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpCapability Int8
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
)";

/// Defines twice(int *), which reads a word and a built-in variable and calls _Z4sameu, which it imports; and
/// nothing else.
BuiltinDefinitions define(std::span<const BuiltinRequest> requests) {
    BuiltinDefinitions made;
    bool any = false;
    for (const BuiltinRequest& request : requests) {
        const bool is_known = request.name == "_Z5twicePU3AS1ii" && !any;
        made.names.push_back(is_known ? "definition" : "");
        any |= is_known;
    }
    const auto words = spirv::assemble(std::string(kHead) + R"(
 OpDecorate %function LinkageAttributes "definition" Export
 OpDecorate %same LinkageAttributes "_Z4samej" Import
 OpDecorate %lane BuiltIn SubgroupLocalInvocationId
 %u32 = OpTypeInt 32 0
 %ptr = OpTypePointer CrossWorkgroup %u32
 %in = OpTypePointer Input %u32
 %fn = OpTypeFunction %u32 %ptr %u32
 %fn1 = OpTypeFunction %u32 %u32
 %lane = OpVariable %in Input
 %same = OpFunction %u32 None %fn1
 %x = OpFunctionParameter %u32
 OpFunctionEnd
 %function = OpFunction %u32 None %fn
 %p = OpFunctionParameter %ptr
 %n = OpFunctionParameter %u32
 %e = OpLabel
 %v = OpLoad %u32 %p Aligned 4
 %l = OpLoad %u32 %lane Aligned 4
 %s = OpIAdd %u32 %v %l
 %r = OpFunctionCall %u32 %same %s
 OpReturnValue %r
 OpFunctionEnd
)",
                                       spirv::Target::OpenCL20);
    REQUIRE(words);
    made.words = *words;
    return made;
}

constexpr std::string_view kKernel = R"(
 OpEntryPoint Kernel %kernel "k"
 %file = OpString "k.cl"
 OpDecorate %twice LinkageAttributes "_Z5twicePU3AS1ii" Import
 OpDecorate %other LinkageAttributes "_Z5otherj" Import
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %ptr = OpTypePointer CrossWorkgroup %u8
 %fn = OpTypeFunction %u32 %ptr %u32
 %fn1 = OpTypeFunction %u32 %u32
 %fnk = OpTypeFunction %void %ptr
 %two = OpConstant %u32 2
 %twice = OpFunction %u32 None %fn
 %tp = OpFunctionParameter %ptr
 %tn = OpFunctionParameter %u32
 OpFunctionEnd
 %other = OpFunction %u32 None %fn1
 %on = OpFunctionParameter %u32
 OpFunctionEnd
 %kernel = OpFunction %void None %fnk
 %p = OpFunctionParameter %ptr
 %e = OpLabel
 OpLine %file 7 3
 %a = OpFunctionCall %u32 %twice %p %two
 %b = OpFunctionCall %u32 %twice %p %two
 %c = OpFunctionCall %u32 %other %a
 OpReturn
 OpFunctionEnd
)";

TEST_CASE("define_builtins: calls by name are calls of definitions") {
    const PassRun run =
        run_passes(std::string(kHead) + std::string(kKernel), {define_builtins}, {}, {.define = define});
    REQUIRE(run.error == "");
    // Both calls have the same constant, so one definition serves both. Its pointer has another pointee.
    CHECK(count(run.text, "OpFunctionCall %uint %definition") == 2);
    CHECK(count(run.text, "OpBitcast %_ptr_CrossWorkgroup_uint") == 2);
    CHECK(contains(run.text, "%definition = OpFunction %uint Inline"));
    CHECK(contains(run.text, "BuiltIn SubgroupLocalInvocationId"));
    CHECK(contains(run.text, R"("k" %)"));
    // What the definition imports is left to link_builtins, as is what has no definition.
    CHECK(contains(run.text, R"(LinkageAttributes "_Z4samej" Import)"));
    CHECK(contains(run.text, R"(LinkageAttributes "_Z5otherj" Import)"));
    // Errors in the definition name the call's place.
    const size_t definition = run.text.find("%definition = OpFunction");
    REQUIRE(definition != std::string::npos);
    CHECK(run.text.find(" 7 3", definition) != std::string::npos);
}

TEST_CASE("define_builtins: without a front end calls stay") {
    const PassRun run = run_passes(std::string(kHead) + std::string(kKernel), {define_builtins});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunctionCall") == 3);
    CHECK(!contains(run.text, "%definition"));
}

}  // namespace
}  // namespace caldera::vulkan
