// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

// a and b may overlap, r is restrict; %a4 is four bytes behind a, and so on.
constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel"
OpDecorate %r FuncParamAttr NoAlias
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%short = OpTypeInt 16 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%i4 = OpConstant %int 4
%h1 = OpConstant %short 1
%order = OpConstant %int 264
%l1 = OpConstant %long 1
%l2 = OpConstant %long 2
%l3 = OpConstant %long 3
%l4 = OpConstant %long 4
%l5 = OpConstant %long 5
%p = OpTypePointer CrossWorkgroup %int
%ph = OpTypePointer CrossWorkgroup %short
%touch = OpTypeFunction %void %p
%fn = OpTypeFunction %void %p %p %p %long
%reader = OpFunction %void DontInline %touch
%x0 = OpFunctionParameter %p
%x1 = OpLabel
%x2 = OpLoad %int %x0 Aligned 4
OpReturn
OpFunctionEnd
%kernel = OpFunction %void None %fn
%a = OpFunctionParameter %p
%b = OpFunctionParameter %p
%r = OpFunctionParameter %p
%n = OpFunctionParameter %long
%entry = OpLabel
%an = OpInBoundsPtrAccessChain %p %a %n
%a4 = OpInBoundsPtrAccessChain %p %a %l1
%a8 = OpInBoundsPtrAccessChain %p %a %l2
%a12 = OpInBoundsPtrAccessChain %p %a %l3
%a16 = OpInBoundsPtrAccessChain %p %a %l4
%a20 = OpInBoundsPtrAccessChain %p %a %l5
%half = OpBitcast %ph %a
%half4 = OpBitcast %ph %a4
)";

std::string merge(std::string_view body) {
    PassRun run = validated(
        run_passes(std::string(kHead) + std::string(body) + "OpReturn\nOpFunctionEnd\n", {merge_accesses}),
        spirv::Target::OpenCL20);
    REQUIRE_MESSAGE(run.error == "", run.error);
    return run.text.substr(run.text.rfind("OpFunction %void"));
}

/// Loads from a and its three neighbours with something before the third, then what they sum up to.
std::string four_loads(std::string_view between, std::string_view alignment = "16") {
    return merge("%v0 = OpLoad %int %a Aligned " + std::string(alignment) + R"(
%v1 = OpLoad %int %a4 Aligned 4
)" + std::string(between) +
                 R"(
%v2 = OpLoad %int %a8 Aligned 8
%v3 = OpLoad %int %a12 Aligned 4
)");
}
std::string four_stores(std::string_view between) {
    return merge("OpStore %a %i1 Aligned 16\nOpStore %a4 %i2 Aligned 4\n" + std::string(between) +
                 "OpStore %a8 %i3 Aligned 8\nOpStore %a12 %i4 Aligned 4\n");
}

}  // namespace

TEST_CASE("merge_accesses: four loads are one, in any order") {
    std::string text = four_loads("");
    CHECK(count(text, "OpLoad") == 1);
    CHECK(contains(text, "OpLoad %v4uint"));
    CHECK(contains(text, "Aligned 16"));
    CHECK(count(text, "OpCompositeExtract %uint") == 4);
    text = merge(R"(
%v3 = OpLoad %int %a12 Aligned 4
%v1 = OpLoad %int %a4 Aligned 4
%v2 = OpLoad %int %a8 Aligned 8
%v0 = OpLoad %int %a Aligned 16
)");
    CHECK(count(text, "OpLoad") == 1);
    CHECK(contains(text, "OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %"));
}

TEST_CASE("merge_accesses: as wide as the alignment allows, and no byte more") {
    CHECK(count(four_loads("", "8"), "OpLoad %v2uint") == 2);
    CHECK(count(four_loads("", "4"), "OpLoad %v2uint") == 2);  // the third one's promise speaks for the first
    CHECK(count(merge("%v0 = OpLoad %int %a Aligned 4\n%v1 = OpLoad %int %a4 Aligned 4\n"), "OpLoad %uint") ==
          2);
    // the second of a pair is not where one begins
    CHECK(count(merge("%v1 = OpLoad %int %a4 Aligned 4\n%v2 = OpLoad %int %a8 Aligned 8\n"),
                "OpLoad %uint") == 2);
    CHECK(contains(merge("%v2 = OpLoad %int %a8 Aligned 8\n%v3 = OpLoad %int %a12 Aligned 4\n"),
                   "OpLoad %v2uint"));
    const std::string three = merge(
        "%v0 = OpLoad %int %a Aligned 16\n%v1 = OpLoad %int %a4 Aligned 4\n%v2 = OpLoad %int %a8 Aligned "
        "8\n");
    CHECK(contains(three, "OpLoad %v3uint"));
    CHECK(count(three, "OpLoad") == 1);
    // 12 and 16 are neighbours, but of two vectors
    CHECK(count(merge("%v0 = OpLoad %int %a Aligned 16\n%v3 = OpLoad %int %a12 Aligned 4\n"
                      "%v4 = OpLoad %int %a16 Aligned 16\n"),
                "OpLoad %uint") == 3);
    // another type
    CHECK(count(merge("%v0 = OpLoad %int %a Aligned 16\n%v1 = OpLoad %short %half4 Aligned 4\n"), "OpLoad") ==
          2);
    // who knows where
    CHECK(count(merge("%v0 = OpLoad %int %a Aligned 16\n%v1 = OpLoad %int %an Aligned 4\n"),
                "OpLoad %uint") == 2);
}

TEST_CASE("merge_accesses: loads around what may write") {
    CHECK(count(four_loads("OpStore %r %i1 Aligned 4\n"), "OpLoad") == 1);
    CHECK(count(four_loads("OpStore %b %i1 Aligned 4\n"), "OpLoad") == 2);
    CHECK(count(four_loads("OpStore %an %i1 Aligned 4\n"), "OpLoad") == 2);
    CHECK(count(four_loads("OpStore %a8 %i1 Aligned 4\n"), "OpLoad") == 2);
    CHECK(count(four_loads("OpControlBarrier %i2 %i2 %order\n"), "OpLoad") == 2);
    CHECK(count(four_loads("%x = OpAtomicIAdd %int %r %i1 %i1 %i1\n"), "OpLoad") == 2);
    CHECK(count(four_loads("OpBranch %next\n%next = OpLabel\n"), "OpLoad") == 2);
}

TEST_CASE("merge_accesses: volatile accesses stay") {
    CHECK(count(merge("%v0 = OpLoad %int %a Volatile|Aligned 16\n%v1 = OpLoad %int %a4 Volatile|Aligned 4\n"),
                "OpLoad") == 2);
    CHECK(count(merge("OpStore %a %i1 Volatile|Aligned 16\nOpStore %a4 %i2 Volatile|Aligned 4\n"),
                "OpStore") == 2);
}

TEST_CASE("merge_accesses: stores, and what may see or write between them") {
    const std::string text = four_stores("");
    CHECK(count(text, "OpStore") == 1);
    CHECK(contains(text, "OpCompositeConstruct %v4uint %uint_1 %uint_2 %uint_3 %uint_4"));
    CHECK(count(four_stores("%x = OpLoad %int %r Aligned 4\nOpStore %r %x Aligned 4\n"), "OpStore") == 2);
    CHECK(count(four_stores("%x = OpLoad %int %b Aligned 4\n"), "OpStore") == 2);
    CHECK(count(four_stores("%x = OpLoad %int %a Aligned 4\n"), "OpStore") == 2);
    CHECK(count(four_stores("OpStore %b %i1 Aligned 4\n"), "OpStore") == 3);
    CHECK(count(four_stores("OpStore %an %i1 Aligned 4\n"), "OpStore") == 3);
    CHECK(count(four_stores("OpStore %half %h1 Aligned 2\n"), "OpStore") == 3);
    CHECK(count(four_stores("OpStore %a20 %i1 Aligned 4\n"), "OpStore") == 2);
    CHECK(count(four_stores("OpMemoryBarrier %i1 %order\n"), "OpStore") == 2);
    CHECK(count(four_stores("%x = OpFunctionCall %void %reader %b\n"), "OpStore") == 2);
    CHECK(count(four_stores("OpBranch %next\n%next = OpLabel\n"), "OpStore") == 2);
    // the second store to a place is the one that counts
    const std::string twice = four_stores("OpStore %a %i4 Aligned 16\n");
    CHECK(twice.find("%uint_1 %uint_2") < twice.rfind("OpStore"));
    CHECK(contains(twice, "%uint_4"));
}

namespace {

/// A kernel with a variable and an argument in local memory: words are `%p0` to `%p4` in `object`, behind
/// `index`.
std::string local_words(std::string_view object, std::string_view index, std::string_view body, bool quirk) {
    std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel"
OpDecorate %tile Alignment 4
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%i1 = OpConstant %int 1
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%l2 = OpConstant %long 2
%l3 = OpConstant %long 3
%l4 = OpConstant %long 4
%rows = OpConstant %int 64
%row = OpTypeArray %int %rows
%pr = OpTypePointer Workgroup %row
%p = OpTypePointer Workgroup %int
%two = OpTypeVector %int 2
%pv = OpTypePointer Workgroup %two
%fn = OpTypeFunction %void %p %long
%tile = OpVariable %pr Workgroup
%kernel = OpFunction %void None %fn
%argument = OpFunctionParameter %p
%n = OpFunctionParameter %long
%entry = OpLabel
%whole = OpInBoundsAccessChain %p %tile %l0
%pairs = OpBitcast %pv %whole
%pair = OpInBoundsPtrAccessChain %pv %pairs %n
%second = OpBitcast %p %pair
)";
    const std::string base =
        object == "%tile" ? index == "2 * n" ? "%second" : "%whole" : std::string(object);
    for (const std::string i : {"0", "1", "2", "3", "4"})
        text += "%p" + i + " = OpInBoundsPtrAccessChain %p " + base + " %l" + i + "\n";
    TranslateOptions options;
    options.profile.quirks.loads_local_scalars = quirk;
    PassRun run = validated(
        run_passes(text + std::string(body) + "OpReturn\nOpFunctionEnd\n", {merge_accesses}, options),
        spirv::Target::OpenCL20);
    REQUIRE_MESSAGE(run.error == "", run.error);
    return run.text;
}

}  // namespace

TEST_CASE("merge_accesses: local objects are aligned for a driver that loads their scalars one by one") {
    constexpr std::string_view kLoads = R"(%v0 = OpLoad %int %p0 Aligned 4
%v1 = OpLoad %int %p1 Aligned 4
%v2 = OpLoad %int %p2 Aligned 4
%v3 = OpLoad %int %p3 Aligned 4
%v4 = OpLoad %int %p4 Aligned 4
)";
    const std::string variable = local_words("%tile", "", kLoads, true);
    CHECK(count(variable, "OpLoad") == 2);
    CHECK(contains(variable, "OpLoad %v4uint"));
    CHECK(contains(variable, " Alignment 16\n"));
    CHECK(count(variable, " Alignment ") == 1);
    const std::string others = local_words("%tile", "", kLoads, false);
    CHECK(count(others, "OpLoad %uint") == 5);
    CHECK(contains(others, " Alignment 4\n"));

    // An index in steps of two words makes no vector of four aligned.
    const std::string pairs = local_words("%tile", "2 * n", kLoads, true);
    CHECK(count(pairs, "OpLoad %v2uint") == 2);
    CHECK(count(pairs, "OpLoad") == 3);

    // An argument has as much room as it wants already.
    const std::string argument = local_words("%argument", "", kLoads, true);
    CHECK(count(argument, "OpLoad") == 2);
    CHECK(contains(argument, " Alignment 4\n"));

    // Accesses that are not merged align nothing.
    const std::string apart =
        local_words("%tile", "", "%v1 = OpLoad %int %p1 Aligned 4\n%v2 = OpLoad %int %p4 Aligned 4\n", true);
    CHECK(count(apart, "OpLoad %uint") == 2);
    CHECK(contains(apart, " Alignment 4\n"));
    CHECK(count(local_words("%tile", "", "OpStore %p2 %i1 Aligned 4\nOpStore %p3 %i1 Aligned 4\n", true),
                "OpStore") == 1);
}
