// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

// a and b may overlap, r is restrict.
constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel"
OpName %a "a"
OpName %b "b"
OpName %r "r"
OpName %head "head"
OpName %exit "exit"
OpDecorate %r FuncParamAttr NoAlias
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i7 = OpConstant %int 7
%order = OpConstant %int 264
%l1 = OpConstant %long 1
%p = OpTypePointer CrossWorkgroup %int
%pf = OpTypePointer CrossWorkgroup %float
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
%rn = OpInBoundsPtrAccessChain %p %r %n
%r4 = OpInBoundsPtrAccessChain %p %r %l1
%rf = OpBitcast %pf %r
)";

/// Whether the loop, which adds 7 to `place`, stores to memory in each iteration.
bool stores(std::string_view before, std::string_view body, std::string_view place = "r") {
    const std::string pointer(place);
    PassRun run = validated(run_passes(std::string(kHead) + std::string(before) + R"(
OpBranch %head
%head = OpLabel
%i = OpPhi %long %l1 %entry %next %latch
%go = OpULessThan %bool %i %n
OpLoopMerge %exit %latch None
OpBranchConditional %go %body %exit
%body = OpLabel
%ri = OpInBoundsPtrAccessChain %p %r %i
%x = OpLoad %int %)" + pointer + " Aligned 4\n%y = OpIAdd %int %x %i7\nOpStore %" +
                                           pointer + " %y Aligned 4\n" + std::string(body) + R"(
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %long %i %l1
OpBranch %head
%exit = OpLabel
OpReturn
OpFunctionEnd
)",
                                       {reuse_loads}),
                            spirv::Target::OpenCL20);
    REQUIRE_MESSAGE(run.error == "", run.error);
    CHECK(!contains(run.text, "OpVariable"));
    const size_t head = run.text.find("%head = OpLabel"), exit = run.text.find("%exit = OpLabel");
    const std::string inside = run.text.substr(head, exit - head), after = run.text.substr(exit);
    const bool stays = contains(inside, "OpStore %" + pointer + " ") || contains(inside, "OpStore %rn ");
    CHECK(stays != contains(after, "OpStore"));
    return stays;
}

constexpr std::string_view kFirst = "OpStore %r %i1 Aligned 4\n", kFirstA = "OpStore %a %i1 Aligned 4\n";

}  // namespace

TEST_CASE("keep_sums: a sum is stored when the loop ends") {
    CHECK(!stores(kFirst, ""));
    CHECK(!stores(kFirst, "OpStore %a %y Aligned 4\n%u = OpLoad %int %b Aligned 4\n"));
    CHECK(!stores(kFirst, "%u = OpLoad %int %r4 Aligned 4\n"));  // beside it
    CHECK(!stores(kFirstA, "OpStore %r %i1 Aligned 4\n", "a"));
    CHECK(!stores(kFirst,
                  "%even = OpIEqual %bool %n %l1\nOpSelectionMerge %m None\n"
                  "OpBranchConditional %even %t %m\n%t = OpLabel\nOpStore %r %i1 Aligned 4\n"
                  "OpBranch %m\n%m = OpLabel\n"));
}

TEST_CASE("keep_sums: not without a store before the loop, which says that the place may be written") {
    CHECK(stores("", ""));
    CHECK(stores("%u = OpLoad %int %r Aligned 4\n", ""));
    CHECK(stores("OpStore %r4 %i1 Aligned 4\n", ""));
    CHECK(stores("OpStore %r %i1 Aligned 4\nOpControlBarrier %i2 %i2 %order\n", ""));
    CHECK(stores("OpStore %r %i1 Volatile|Aligned 4\n", ""));
}

TEST_CASE("keep_sums: not where somebody may see or change what is there") {
    CHECK(stores(kFirst, "OpControlBarrier %i2 %i2 %order\n"));
    CHECK(stores(kFirst, "OpMemoryBarrier %i1 %order\n"));
    CHECK(stores(kFirst, "%u = OpAtomicIAdd %int %a %i1 %i1 %i1\n"));
    CHECK(stores(kFirst, "%u = OpLoad %int %a Volatile|Aligned 4\n"));
    CHECK(stores(kFirst, "%u = OpLoad %int %ri Aligned 4\n"));
    CHECK(stores(kFirst, "OpStore %ri %y Aligned 4\n"));
    CHECK(stores(kFirst, "%u = OpLoad %float %rf Aligned 4\n"));
    CHECK(stores(kFirst, "OpCopyMemory %a %r Aligned 4\n"));
    CHECK(stores(kFirst, "%u = OpFunctionCall %void %reader %r\n"));
    CHECK(stores(kFirstA, "%u = OpLoad %int %b Aligned 4\n", "a"));
    CHECK(stores(kFirstA, "%u = OpFunctionCall %void %reader %b\n", "a"));
    // another way out
    CHECK(stores(kFirst,
                 "%early = OpIEqual %bool %n %i\nOpBranchConditional %early %out %more\n%out = OpLabel\n"
                 "OpReturn\n%more = OpLabel\n"));
}
