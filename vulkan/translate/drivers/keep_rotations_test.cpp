// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%c5 = OpConstant %uint 5
%c7 = OpConstant %uint 7
%c25 = OpConstant %uint 25
%c27 = OpConstant %uint 27
%fn = OpTypeFunction %void %uint %uint %uint
%k = OpFunction %void None %fn
%x = OpFunctionParameter %uint
%y = OpFunctionParameter %uint
%n = OpFunctionParameter %uint
%entry = OpLabel
)";

std::string kept(std::string_view body, bool misses = true) {
    TranslateOptions options;
    options.profile.quirks.misses_rotations = misses;
    return run_in_kernel(kHead, body, keep_rotations, options);
}

constexpr std::string_view kRotation = R"(
%l = OpShiftLeftLogical %uint %x %c7
%r = OpShiftRightLogical %uint %x %c25
%o = OpBitwiseXor %uint %l %r
%s = OpShiftRightLogical %uint %y %c25
%m = OpShiftLeftLogical %uint %y %c7
%p = OpIAdd %uint %s %m
)";

}  // namespace

TEST_CASE("a rotation is by what a variable holds, and by 32 minus that") {
    const std::string text = kept(kRotation);
    CHECK(count(text, "OpVariable") == 1);  // for both
    CHECK(count(text, "OpLoad") == 1);
    CHECK(contains(text, "OpISub %uint"));
    CHECK(count(text, "OpShiftLeftLogical") == 2);
    CHECK(count(text, "OpShiftRightLogical") == 2);
    CHECK(count(text, "OpBitwiseOr") == 2);
    CHECK(!contains(text, "OpBitwiseXor"));
}

TEST_CASE("compilers that see rotations by constants get them") {
    CHECK(!contains(kept(kRotation, false), "OpVariable"));
}

TEST_CASE("what is no rotation by a constant stays") {
    const std::string_view others[] = {// The bits come from two values
                                       "%l = OpShiftLeftLogical %uint %x %c7\n%r = OpShiftRightLogical %uint "
                                       "%y %c25\n%o = OpBitwiseOr %uint %l %r\n",
                                       // Bits are lost
                                       "%l = OpShiftLeftLogical %uint %x %c5\n%r = OpShiftRightLogical %uint "
                                       "%x %c25\n%o = OpBitwiseOr %uint %l %r\n",
                                       // Both to one side
                                       "%l = OpShiftLeftLogical %uint %x %c7\n%r = OpShiftLeftLogical %uint "
                                       "%x %c25\n%o = OpBitwiseOr %uint %l %r\n",
                                       // By a number that is not known
                                       "%l = OpShiftLeftLogical %uint %x %n\n%r = OpShiftRightLogical %uint "
                                       "%x %c25\n%o = OpBitwiseOr %uint %l %r\n"};
    for (const std::string_view other : others) CHECK(!contains(kept(other), "OpVariable"));
}
