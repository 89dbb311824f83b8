// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// Whether the loop is told to stay as it is: for (i = start; test; i = next). `test` computes %test of the
/// counter %i or of %next, and `branch` are the branch's operands.
bool kept(std::string_view type, std::string_view start, std::string_view next, std::string_view test,
          std::string_view branch = "%test %body %exit", bool miscounts = true) {
    TranslateOptions options;
    options.profile.quirks.miscounts_turns = miscounts;
    const PassRun run = validated(run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%b1 = OpConstant %uchar 1
%b229 = OpConstant %uchar 229
%c1 = OpConstant %int 1
%c6 = OpConstant %int 6
%minus1 = OpConstant %int 0xffffffff
%minus4 = OpConstant %int 0xfffffffc
%f0 = OpConstantNull %float
%f1 = OpConstant %float 1
%f100 = OpConstant %float 100
%tenth = OpConstant %float 0.1
%fn = OpTypeFunction %void %int %bool
%k = OpFunction %void None %fn
%n = OpFunctionParameter %int
%other = OpFunctionParameter %bool
%entry = OpLabel
OpBranch %head
%head = OpLabel
%i = OpPhi %)" + std::string(type) + " " + std::string(start) +
                                                 R"( %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %more
%more = OpLabel
%next = )" + std::string(next) + "\n" + std::string(test) +
                                                 "\nOpBranchConditional " + std::string(branch) + R"(
%body = OpLabel
OpBranch %latch
%latch = OpLabel
OpBranch %head
%exit = OpLabel
OpReturn
OpFunctionEnd
)",
                                             {keep_turns}, options),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return count(run.text, "DontUnroll") != 0;
}

constexpr std::string_view kUp = "OpIAdd %int %i %c1", kDown = "OpISub %int %i %c1";
constexpr std::string_view kAbove6 = "%test = OpUGreaterThan %bool %i %c6";
constexpr std::string_view kBelow6 = "%test = OpSLessThan %bool %i %c6";

}  // namespace

TEST_CASE("keep_turns: counters that run away from their bound") {
    CHECK(kept("int", "%minus4", kUp, kAbove6));
    CHECK(kept("int", "%minus4", "OpISub %int %i %minus1", kAbove6));
    CHECK(kept("int", "%n", "OpIAdd %int %c1 %i", "%test = OpUGreaterThanEqual %bool %i %n"));
    CHECK(kept("int", "%minus4", kUp, "%test = OpULessThan %bool %c6 %next"));
    CHECK(kept("int", "%minus4", kDown, kBelow6));
    CHECK(kept("int", "%minus4", "OpIAdd %int %i %minus1", kBelow6));
    CHECK(kept("int", "%minus4", kUp, "%test = OpULessThanEqual %bool %i %c6", "%test %exit %body"));
    CHECK(kept("int", "%minus4", kUp,
               "%below = OpULessThan %bool %i %c6\n%above = OpLogicalNot %bool %below\n"
               "%test = OpLogicalAnd %bool %other %above"));
    CHECK(kept("uchar", "%b229", "OpIAdd %uchar %i %b1",
               "%wide = OpUConvert %int %i\n%test = OpSGreaterThan %bool %wide %c6"));
    CHECK(kept("int", "%minus4", "OpIAdd %int %i %n", kAbove6));
    CHECK(!kept("int", "%minus4", kUp, kAbove6, "%test %body %exit", false));
}

TEST_CASE("keep_turns: counters that run towards their bound, or have none") {
    CHECK(!kept("int", "%c1", kUp, kBelow6));
    CHECK(!kept("int", "%minus4", kDown, kAbove6));
    CHECK(!kept("int", "%minus4", kUp, "%test = OpINotEqual %bool %i %c6"));
    CHECK(!kept("int", "%minus4", "OpIMul %int %i %c6", kAbove6));
    CHECK(!kept("int", "%minus4", kUp, "%test = OpUGreaterThan %bool %n %c6"));
}

TEST_CASE("keep_turns: counters with fractions") {
    constexpr std::string_view kTest = "%test = OpFOrdLessThan %bool %i %f100";
    CHECK(kept("float", "%f0", "OpFAdd %float %i %tenth", kTest));
    CHECK(kept("float", "%f1", "OpFSub %float %i %tenth", "%test = OpFOrdGreaterThan %bool %next %f0"));
    CHECK(kept("float", "%tenth", "OpFAdd %float %f1 %i", kTest));
    CHECK(kept("float", "%f0", "OpFAdd %float %i %f100", kTest));  // many turns may be inexact
    CHECK(!kept("float", "%f0", "OpFAdd %float %i %f1", kTest));
    CHECK(!kept("float", "%f0", "OpFMul %float %i %tenth", kTest));
}

TEST_CASE("keep_turns: tests in other words, of values that are constants in the end") {
    constexpr std::string_view kPart =
        "%part = OpShiftRightLogical %int %i %c1\n%test = OpINotEqual %bool %part %c1";
    CHECK(kept("int", "%minus4", kUp, kPart));
    CHECK(!kept("int", "%n", kUp, kPart));
    CHECK(!kept("int", "%minus4", "OpIAdd %int %i %n", kPart));
    CHECK(!kept("int", "%minus4", kUp, "%test = OpCopyObject %bool %other"));
}
